import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { openBench } from "./harness/bench.js";
import { measure, WARM_UPS } from "./harness/measure.js";
import type { Played } from "./harness/row.js";
import { printFigures, printRound } from "./report/print.js";
import { writeResults } from "./report/write-results.js";
import { ROWS } from "./rows.js";

const names = Object.keys(ROWS).join(", ");
const HELP = `npm run bench -- [--only ROW]... [--rounds N] [--quick] [--json FILE] [--write] [--profile FOLDER]

  --only      this row or, where none is called so, all whose names begin with it and a dash: ${names}
  --rounds    rounds for each contestant (default 9)
  --quick     little data and short rounds, to see that everything runs
  --json      writes the figures to a file
  --write     writes the results of the rows to bench/results, and bench/RESULTS.md out of them
  --profile   writes processor profiles of our servers to a folder`;

/**
 * The length of a round in milliseconds.
 *
 * Nine rounds and a warm-up of every contestant take an hour.
 */
const ROUND_MS = 700;
/** How many operations make the contestants of all rows warm. */
const WARM_WORKS = 20_000;

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    rounds: { type: "string", default: "9" },
    quick: { type: "boolean", default: false },
    json: { type: "string" },
    write: { type: "boolean", default: false },
    profile: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});

const wanted = Object.entries(ROWS).filter(([name]) => isWanted(name, values.only));
const unknown = (values.only ?? []).find((only) => !Object.keys(ROWS).some((name) => isWanted(name, [only])));
const rounds = Number(values.rounds);

if (values.help) console.log(HELP);
else if (unknown !== undefined) refuse(`No row is called "${unknown}"; there are ${names}.`);
else if (!Number.isInteger(rounds) || rounds < 1) refuse("--rounds takes a whole number from 1 on.");
else if (values.write && values.quick) refuse("--quick is for trying; its figures are not written.");
else await run();

async function run(): Promise<void> {
  const { quick, profile } = values;
  const startedAt = performance.now();
  const roundMs = quick ? 1_000 : ROUND_MS;
  const nodeOptions = profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`];
  const bench = openBench({ quick, playMs: (rounds + WARM_UPS.usual.atLeast) * roundMs, nodeOptions });
  const all: Record<string, readonly Played[]> = {};
  try {
    for (const [name, open] of wanted) {
      console.log(`\n${name}`);
      const row = await open(bench);
      console.log(row.work);
      const played = await measure(row, {
        rounds,
        roundMs,
        warmWorks: quick ? 0 : WARM_WORKS,
        onRound: printRound,
      });
      printFigures(played, row.targets);
      all[name] = played;
      if (values.write)
        await writeResults({ name, work: row.work, targets: row.targets, played }, Object.keys(ROWS));
    }
  } finally {
    await bench.close();
  }
  console.log(`\nIt took ${Math.round((performance.now() - startedAt) / 1_000)} s.`);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(all, undefined, 2)}\n`);
}

/** Whether a row is selected, by its name or by the first words of its name. */
function isWanted(name: string, only: readonly string[] | undefined): boolean {
  return (
    only?.some((word) => (Object.hasOwn(ROWS, word) ? name === word : name.startsWith(`${word}-`))) ?? true
  );
}

function refuse(why: string): void {
  console.error(why);
  process.exitCode = 2;
}
