// Breaks the guards of money and access one by one, each in a copy of the repository, and looks which proof misses them.
import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { root } from "./lib/packages.js";
import { secondsSince } from "./lib/run.js";
import { withTemporaryFolder } from "./lib/temporary-folder.js";
import { catchersOf, type Verdict } from "./mutants/catchers.js";
import { copyRepository } from "./mutants/copy-repository.js";
import { MUTANTS } from "./mutants/list/mutants.js";
import { type Mutant, mutated } from "./mutants/mutant.js";

const HELP = `npm run mutants [-- [--only NAME]... [--seeds N] [--jobs J] [--list]]

Breaks each guard of money and access in copies of the repository, one at a time in each, and runs the proofs until one fails.

  --only NAME  this mutant, or all whose names begin with NAME; several times for several
  --seeds N    seeds of the simulation before the tests are asked (default 40)
  --jobs J     copies that are broken at once (default: one a core)
  --list       the mutants, and nothing else

Ends with 1 when a mutant is missed by all, or is out of date, or proofs of it did not end in their time and none failed.`;

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    seeds: { type: "string", default: "40" },
    jobs: { type: "string", default: String(availableParallelism()) },
    list: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  },
});

const say = (text: string) => void process.stdout.write(`${text}\n`);
const complain = (text: string) => void process.stderr.write(`${text}\n`);

const unknown = (values.only ?? []).find((name) => !MUTANTS.some((mutant) => mutant.name.startsWith(name)));
const chosen = MUTANTS.filter(({ name }) => values.only?.some((wanted) => name.startsWith(wanted)) ?? true);

if (values.help === true) say(HELP);
else if (!/^[1-9]\d{0,5}$/.test(values.seeds)) refuse("--seeds takes a number from 1 on: see --help.");
else if (!/^[1-9]\d?$/.test(values.jobs)) refuse("--jobs takes a number from 1 to 99: see --help.");
else if (unknown !== undefined) refuse(`There is no mutant ${unknown}: see --list.`);
else if (values.list === true) for (const { name, guards } of chosen) say(`${name}: ${guards}`);
else await breakAll(Number(values.seeds), Number(values.jobs));

function refuse(why: string): void {
  complain(why);
  process.exitCode = 2;
}

async function breakAll(seeds: number, jobs: number): Promise<void> {
  const began = performance.now();
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort(signal));
  const rows: (readonly string[])[] = [];
  let survivors = 0;
  const waiting = chosen.values();
  // Every job has a copy of its own, and takes the next mutant from the same list.
  const job = () =>
    withTemporaryFolder(async (folder) => {
      await copyRepository(root.slice(0, -1), folder);
      for (const mutant of waiting) {
        const startedAt = performance.now();
        const verdict = await broken(mutant, folder, seeds, stop.signal);
        if (verdict.kind !== "caught") survivors += 1;
        if (verdict.kind === "unusable") complain(verdict.output);
        const by = wordsOf(verdict);
        rows.push([mutant.name, mutant.guards, by, secondsSince(startedAt)]);
        const left = ((performance.now() - began) / rows.length) * (chosen.length - rows.length);
        const progress = `${rows.length} of ${chosen.length}, ${Math.ceil(left / 60_000)} min left`;
        complain(`${progress}  ${mutant.name}: ${by} (${secondsSince(startedAt)} s)`);
      }
    });
  await Promise.all(Array.from({ length: Math.min(jobs, chosen.length) }, job));
  const head = [
    ["mutant", "guard", "caught by", "seconds"],
    ["---", "---", "---", "--:"],
  ];
  for (const row of [...head, ...rows])
    say(`| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`);
  say(`\n${rows.length} mutants, ${survivors} not caught, ${secondsSince(began)} s`);
  if (survivors > 0 || rows.length === 0) process.exitCode = 1;
}

/** Breaks the copy, asks its proofs in turn, and mends it again. */
async function broken(
  mutant: Mutant,
  folder: string,
  seeds: number,
  stop: AbortSignal,
): Promise<Verdict | OutOfDate> {
  const file = `${folder}/${mutant.file}`;
  const text = await readFile(file, "utf8");
  const changed = mutated(text, mutant);
  if (changed === undefined) return { kind: "out of date" };
  await writeFile(file, changed);
  try {
    let undecided: Verdict = { kind: "missed" };
    for (const look of catchersOf(mutant.file, seeds)) {
      const verdict = await look(folder, stop);
      if (verdict.kind === "late") undecided = verdict;
      else if (verdict.kind !== "missed") return verdict;
    }
    return undecided;
  } finally {
    await writeFile(file, text);
  }
}

interface OutOfDate {
  readonly kind: "out of date";
}

function wordsOf(verdict: Verdict | OutOfDate): string {
  switch (verdict.kind) {
    case "caught":
      return verdict.by;
    case "missed":
      return "NOBODY";
    case "late":
      return `NOT DECIDED: ${verdict.by} did not end in its time, which proves nothing; ask again on a quieter machine`;
    case "unusable":
      return "NOT USABLE: it does not load";
    case "out of date":
      return "OUT OF DATE: its text does not stand in the file exactly once";
  }
}
