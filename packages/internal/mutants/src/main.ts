// Breaks the guards of money and access one by one, each in a copy of the repository, and reports
// which suite catches each.
import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { root, secondsSince, withTemporaryFolder } from "@tillkit/repository";
import { copyRepository } from "./copy-repository.js";
import { MUTANTS } from "./list/mutants.js";
import { type Mutant, mutated } from "./mutant.js";
import { outcomeOf, wordsOf } from "./outcome.js";
import type { MutantOutcome } from "./outcome.js";
import { proofsOf, SUITES } from "./proofs.js";

const HELP = `npm run mutants [-- [--only NAME]... [--every] [--seeds N] [--jobs J] [--list]]

Breaks each guard of money and access in copies of the repository, one at a time in each copy, and runs the suites
until one fails: contract suites first. Prints which suite caught each mutant.

  --only NAME  the mutants whose names begin with NAME; may be repeated
  --every      runs every suite for each mutant and prints all that catch it
  --seeds N    the number of seeds of the simulation (default 40)
  --jobs J     the number of copies that are tested at the same time (default: one per core)
  --list       prints the mutants and exits

Exits with 1 if no suite catches a mutant, if no contract suite catches a mutant of a store rule, if a mutant is
out of date, or if suites did not end in time and none failed.`;

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    every: { type: "boolean", default: false },
    seeds: { type: "string", default: "40" },
    jobs: { type: "string", default: String(availableParallelism()) },
    list: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  },
});

const say = (text: string) => void process.stdout.write(`${text}\n`);
const reportProblem = (text: string) => void process.stderr.write(`${text}\n`);

const unknown = (values.only ?? []).find((name) => !MUTANTS.some((mutant) => mutant.name.startsWith(name)));
const chosen = MUTANTS.filter(({ name }) => values.only?.some((wanted) => name.startsWith(wanted)) ?? true);

if (values.help === true) say(HELP);
else if (!/^[1-9]\d{0,5}$/.test(values.seeds)) refuse("--seeds takes a number from 1 on: see --help.");
else if (!/^[1-9]\d?$/.test(values.jobs)) refuse("--jobs takes a number from 1 to 99: see --help.");
else if (unknown !== undefined) refuse(`There is no mutant ${unknown}: see --list.`);
else if (values.list === true) for (const { name, guards } of chosen) say(`${name}: ${guards}`);
else await breakAll(Number(values.seeds), Number(values.jobs));

function refuse(why: string): void {
  reportProblem(why);
  process.exitCode = 2;
}

/** A mutant with its outcome. */
interface Row {
  readonly mutant: Mutant;
  readonly outcome: MutantOutcome;
  readonly seconds: string;
}

async function breakAll(seeds: number, jobs: number): Promise<void> {
  const began = performance.now();
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort(signal));
  const rows: Row[] = [];
  const waiting = chosen.values();
  // Every job has its own copy and takes the next mutant from the shared list.
  const job = () =>
    withTemporaryFolder(async (folder) => {
      await copyRepository(root.slice(0, -1), folder);
      for (const mutant of waiting) {
        const startedAt = performance.now();
        const outcome = await broken(mutant, folder, seeds, stop.signal);
        if (outcome.kind === "unusable") reportProblem(outcome.output);
        const seconds = secondsSince(startedAt);
        rows.push({ mutant, outcome, seconds });
        const left = ((performance.now() - began) / rows.length) * (chosen.length - rows.length);
        const progress = `${rows.length} of ${chosen.length}, ${Math.ceil(left / 60_000)} min left`;
        const { suite, by } = wordsOf(outcome);
        reportProblem(`${progress}  ${mutant.name}: ${suite}: ${by} (${seconds} s)`);
      }
    });
  await Promise.all(Array.from({ length: Math.min(jobs, chosen.length) }, job));
  printRows(rows);
  const survivors = rows.filter(({ outcome }) => outcome.kind !== "caught").length;
  say(`\n${rows.length} mutants, ${survivors} not caught as required, ${secondsSince(began)} s`);
  if (survivors > 0 || rows.length === 0) process.exitCode = 1;
}

/** Prints a table of the mutants by the suite that caught them, and how many each suite caught. */
function printRows(rows: readonly Row[]): void {
  const suiteOf = ({ outcome }: Row) => wordsOf(outcome).suite;
  const kinds = [...new Set([...SUITES, ...rows.map(suiteOf)])];
  const batched = kinds.flatMap((kind) => rows.filter((row) => suiteOf(row) === kind));
  printLine("suite", "mutant", "guard", "caught by", "seconds");
  printLine("---", "---", "---", "---", "--:");
  for (const { mutant, outcome, seconds } of batched) {
    const { suite, by } = wordsOf(outcome);
    printLine(suite, mutant.name, mutant.guards, by, seconds);
  }
  say("");
  for (const kind of kinds) {
    const caught = rows.filter((row) => suiteOf(row) === kind).length;
    if (caught > 0) say(`${kind}: ${caught}`);
  }
}

function printLine(...cells: readonly string[]): void {
  say(`| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`);
}

/** Applies the mutant to the copy, runs the suites, and restores the copy. */
async function broken(
  mutant: Mutant,
  folder: string,
  seeds: number,
  stop: AbortSignal,
): Promise<MutantOutcome> {
  const file = `${folder}/${mutant.file}`;
  const text = await readFile(file, "utf8");
  const changed = mutated(text, mutant);
  if (changed === undefined) return { kind: "out of date" };
  await writeFile(file, changed);
  try {
    return await outcomeOf(mutant, proofsOf(mutant, seeds), values.every, (proof) =>
      proof.look(folder, stop),
    );
  } finally {
    await writeFile(file, text);
  }
}
