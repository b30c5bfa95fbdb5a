import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { run } from "./run.js";
import { shrink } from "./shrink.js";
import { simulate, traceHash } from "./simulate.js";
import { openStorage, type Storage, type StoreOpener, storeOpener, STORAGES } from "./storages.js";
import { seededChoices } from "./choice-source.js";

const HELP = `npm run simulate -- [--seeds N] [--seed S] [--storage NAME [--url URL --schema SCHEMA]] [--jobs J] [--brief]

Runs the core over faulty stores and wallets. A seed determines every interleaving and every fault: the same seed gives the same run, with the same trace hash.

  --seeds N   run the seeds 1 to N (default 200). With --seed S: the seeds S to S + N - 1
  --seed S    without --seeds: run only this seed and print its steps
  --storage   memory (default), or postgres, which starts its own server and takes longer
  --url URL   with --storage postgres: use this database, and start no server
  --schema SCHEMA  a migrated schema of this database; every run empties its tables. Runs one process (--jobs 1)
  --jobs J    the number of processes (default: one per core, or 1 with --url)
  --brief     report the failing seed, and do not look for the shortest run

Exits with 1 if an invariant was violated, and prints the shortest run that violates it.`;

const say = (text: string) => void process.stdout.write(`${text}\n`);
const reportProblem = (text: string) => void process.stderr.write(`${text}\n`);

const { values } = parseArgs({
  options: {
    seeds: { type: "string" },
    seed: { type: "string" },
    storage: { type: "string" },
    url: { type: "string" },
    schema: { type: "string" },
    jobs: { type: "string" },
    brief: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  },
});

const seeds = natural("seeds", values.seeds);
const seed = natural("seed", values.seed);
const given =
  values.url === undefined || values.schema === undefined
    ? undefined
    : { url: values.url, schema: values.schema };
const jobs = natural("jobs", values.jobs) ?? (given === undefined ? availableParallelism() : 1);
const name = STORAGES.find((one) => one === (values.storage ?? "memory"));

if (values.help === true) say(HELP);
else if (name === undefined) {
  reportProblem(`--storage takes ${STORAGES.join(" or ")}: see --help.`);
  process.exitCode = 2;
} else if (
  (values.url === undefined) !== (values.schema === undefined) ||
  (given !== undefined && jobs > 1)
) {
  reportProblem("--url and --schema belong together, and allow one job: see --help.");
  process.exitCode = 2;
} else {
  const storage = await openStorage(name, given);
  const opener = await storeOpener(storage.address);
  try {
    if (seeds === undefined && seed !== undefined) await printScenario(seed, opener);
    else await runAll(seed ?? 1, seeds ?? 200, storage, opener);
  } finally {
    await opener.close();
    await storage.close();
  }
}

async function printScenario(only: number, opener: StoreOpener): Promise<void> {
  const outcome = await run(seededChoices(only), await opener.open());
  say(outcome.trace.join("\n"));
  say(`\nseed ${String(only)}: ${String(outcome.events)} events, trace ${outcome.hash}`);
  if (outcome.violation === undefined) return;
  process.exitCode = 1;
  await printShortest(only, opener);
}

async function runAll(
  first: number,
  count: number,
  { address }: Storage,
  opener: StoreOpener,
): Promise<void> {
  const startedAt = performance.now();
  let reportedAt = startedAt;
  const results = await simulate(
    Array.from({ length: count }, (_, index) => first + index),
    { jobs, address },
    (done) => {
      if (performance.now() - reportedAt < 5_000) return;
      reportedAt = performance.now();
      reportProblem(`${String(done)} of ${String(count)} seeds`);
    },
  );
  const broken = results.find(({ promise }) => promise !== undefined);
  if (broken?.promise !== undefined) {
    if (values.brief !== true) await printShortest(broken.seed, opener);
    else say(`Seed ${String(broken.seed)} violates an invariant: ${broken.promise}`);
    process.exitCode = 1;
    return;
  }
  const events = results.reduce((sum, result) => sum + result.events, 0);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  say(`${String(results.length)} seeds, ${String(events)} events, ${seconds} s: every invariant held.`);
  say(`trace ${traceHash(results)}`);
}

async function printShortest(broken: number, { open }: StoreOpener): Promise<void> {
  const failed = await run(seededChoices(broken), await open());
  reportProblem(
    `Seed ${String(broken)} violates an invariant after ${String(failed.events)} events; looking for the shortest run …`,
  );
  const shortest = await shrink(failed, async (choices) => run(choices, await open()));
  say(shortest.trace.join("\n"));
  say(`\n${shortest.violation?.invariant ?? ""}: ${shortest.violation?.detail ?? ""}`);
  say(`Run it again: npm run simulate -- --seed ${String(broken)}`);
}

function natural(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  reportProblem(`--${name} takes a number from 1 on: see --help.`);
  process.exit(2);
}
