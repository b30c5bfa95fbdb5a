// Sends unexpected input to every component with untrusted senders, and checks all invariants.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { secondsSince } from "@tillkit/repository";
import { runFuzz, type TargetFinding } from "./run-fuzz.js";
import { TARGETS } from "./targets.js";

const NAMES = TARGETS.map(({ name }) => name);
const HELP = `npm run fuzz [-- [--requests N] [--seed S] [--only TARGET]... [--jobs J] [--path P]]

Sends generated and changed requests to every surface, and passes changed files and notifications to the code that reads them.

  --requests N   the number of requests, distributed over the targets (default 8000)
  --seed S       determines all requests: the same seed sends the same requests (default 1)
  --only TARGET  ${NAMES.join(", ")}; repeatable
  --jobs J       the number of processes (default: one per core)
  --path P       runs only the test case of a finding. Takes the path that the finding reports; also pass its --only and --seed

Exits with 1 if an invariant was violated, and prints the shortest requests that show it.`;

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "8000" },
    seed: { type: "string", default: "1" },
    only: { type: "string", multiple: true, default: NAMES },
    jobs: { type: "string", default: String(availableParallelism()) },
    path: { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});

const say = (text: string) => void process.stdout.write(`${text}\n`);
const reportProblem = (text: string) => void process.stderr.write(`${text}\n`);

const numbers = [values.requests, values.seed, values.jobs];
const unknown = values.only.find((name) => !NAMES.includes(name));

if (values.help === true) say(HELP);
else if (!numbers.every((text) => /^[1-9]\d{0,8}$/.test(text)))
  refuse("--requests, --seed and --jobs take a number from 1 on: see --help.");
else if (unknown !== undefined) refuse(`There is no target ${unknown}: see --help.`);
else if (values.path !== undefined && values.only.length !== 1)
  refuse("--path goes with one --only: see --help.");
else await attackAll();

function refuse(why: string): void {
  reportProblem(why);
  process.exitCode = 2;
}

async function attackAll(): Promise<void> {
  const began = performance.now();
  let reportedAt = began;
  const { requests, findings, peakKilobytes } = await runFuzz({
    targets: TARGETS.filter(({ name }) => values.only.includes(name)),
    requests: Number(values.requests),
    seed: Number(values.seed),
    ...(values.path === undefined ? {} : { path: values.path }),
    jobs: Number(values.jobs),
    progress: (sent) => {
      if (performance.now() - reportedAt < 5_000) return;
      reportedAt = performance.now();
      reportProblem(`${sent} of ${values.requests} requests`);
    },
    onFinding: (finding) => say(wordsOf(finding)),
  });
  for (const [name, sent] of requests) say(`${name.padEnd(16)} ${sent} requests`);
  const sent = [...requests.values()].reduce((sum, count) => sum + count, 0);
  const peak = Math.round(peakKilobytes / 1_024);
  say(`${sent} requests, ${findings} findings, ${secondsSince(began)} s, at most ${peak} MiB a process`);
  if (findings > 0) process.exitCode = 1;
}

function wordsOf({ target, broken, explanation: fuzzCase, seed, path }: TargetFinding): string {
  const again = `npm run fuzz -- --only ${target} --seed ${seed} --path ${path}`;
  return `\n${target}: ${broken}\n\n${fuzzCase}\n\nRun it again: ${again}\n`;
}
