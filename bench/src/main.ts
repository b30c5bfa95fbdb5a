import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { pathToFileURL } from "node:url";
import { HOME } from "./report/write-results.js";
import { ROWS } from "./rows.js";
import { runRows } from "./run-rows.js";

const names = Object.keys(ROWS);
const HELP = `npm run bench -- [--only ROW]... [--rounds N] [--quick] [--json FILE] [--write] [--out FOLDER] [--profile FOLDER]

  --only      this row. If no row has this name: all rows whose names begin with it and a dash. Rows: ${names.join(", ")}
  --rounds    the largest number of rounds for each contestant (default 9; 3 with --quick)
  --quick     measures with little data and short rounds: rough figures of all rows in some minutes
  --json      writes the figures to a file
  --write     writes the results of the rows to bench/results, and generates bench/RESULTS.md from them
  --out       writes to this folder instead of bench
  --profile   writes processor profiles of our servers to a folder`;

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    rounds: { type: "string" },
    quick: { type: "boolean", default: false },
    json: { type: "string" },
    write: { type: "boolean", default: false },
    out: { type: "string" },
    profile: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});

const wanted = Object.entries(ROWS).filter(([name]) => isWanted(name, values.only));
const unknown = (values.only ?? []).find((only) => !names.some((name) => isWanted(name, [only])));
const rounds = Number(values.rounds ?? (values.quick ? 3 : 9));
const writes = values.write || values.out !== undefined;

if (values.help) console.log(HELP);
else if (unknown !== undefined) refuse(`No row is called "${unknown}"; there are ${names.join(", ")}.`);
else if (!Number.isInteger(rounds) || rounds < 1) refuse("--rounds takes a whole number from 1 on.");
else if (writes && values.quick) refuse("--quick is for trying; its figures are not written.");
else await run();

async function run(): Promise<void> {
  const home = values.out === undefined ? HOME : pathToFileURL(`${resolve(values.out)}/`);
  const done = await runRows({
    rows: wanted,
    rounds,
    quick: values.quick,
    profile: values.profile,
    write: writes ? { home, names } : undefined,
  });
  if (values.json === undefined) return;
  const figures = Object.fromEntries(done.map(({ name, played }) => [name, played]));
  writeFileSync(values.json, `${JSON.stringify(figures, undefined, 2)}\n`);
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
