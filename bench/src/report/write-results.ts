import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { format } from "prettier";
import { figuresOf } from "../harness/figures.js";
import { chartOf } from "./chart.js";
import { circumstances } from "./circumstances.js";
import { type RowResult, result } from "./result.js";
import { resultsPage } from "./results-page.js";

const HOME = new URL("../../", import.meta.url);

/**
 * Stores the result of a row with its chart, and writes the page of all stored rows.
 *
 * @param names - the order of the rows on the page.
 */
export async function writeResults(
  row: Pick<RowResult, "name" | "work" | "targets" | "played">,
  names: readonly string[],
): Promise<void> {
  const folder = new URL("results/", HOME);
  await mkdir(folder, { recursive: true });
  const kept: RowResult = { ...row, ...(await circumstances()) };
  await writeFile(new URL(`${row.name}.json`, folder), `${JSON.stringify(kept, shortNumbers, 2)}\n`);
  await writeFile(new URL(`${row.name}.svg`, folder), `${chartOf(figuresOf(row.played))}\n`);
  const stored = new Set(await readdir(folder));
  const all = names
    .filter((name) => stored.has(`${name}.json`))
    .map((name) => readResult(new URL(`${name}.json`, folder)));
  const page = await format(resultsPage(await Promise.all(all)), { parser: "markdown", printWidth: 150 });
  await writeFile(new URL("RESULTS.md", HOME), page);
}

/** Rounds to the significant digits of a measurement. */
function shortNumbers(_name: string, value: unknown): unknown {
  return typeof value === "number" ? Number(value.toPrecision(5)) : value;
}

async function readResult(file: URL): Promise<RowResult> {
  return result.parse(JSON.parse(await readFile(file, "utf8")));
}
