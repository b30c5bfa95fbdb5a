import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { format } from "prettier";
import { chartOf } from "./chart.js";
import { circumstances } from "./circumstances.js";
import { readProfileSections, unexplainedRows } from "./profile-sections.js";
import { type RowResult, result } from "./result.js";
import { resultsPage } from "./results-page.js";

/** The folder of the benchmark, which has the page of results and their files. */
export const HOME = new URL("../../", import.meta.url);

/**
 * Stores the result of a row with its chart, and writes the page of all stored rows.
 *
 * @param names - the order of the rows on the page.
 * @param home - the folder of the page.
 */
export async function writeResults(
  row: Pick<RowResult, "name" | "work" | "targets" | "counts" | "played" | "noise">,
  names: readonly string[],
  home: URL,
): Promise<void> {
  const folder = new URL("results/", home);
  await mkdir(folder, { recursive: true });
  const kept: RowResult = { ...row, ...(await circumstances()) };
  await writeFile(new URL(`${row.name}.json`, folder), `${JSON.stringify(kept, shortNumbers, 2)}\n`);
  await writeFile(new URL(`${row.name}.svg`, folder), `${chartOf(row)}\n`);
  const stored = await readResults(home);
  const ordered = names.flatMap((name) => stored.find((each) => each.name === name) ?? []);
  const page = resultsPage(ordered, await readProfileSections());
  const text = await format(page, { parser: "markdown", printWidth: 150 });
  await writeFile(new URL("RESULTS.md", home), text);
}

/** Reads the stored results of all rows. */
export async function readResults(home = HOME): Promise<readonly RowResult[]> {
  const folder = new URL("results/", home);
  const files = (await readdir(folder)).filter((file) => file.endsWith(".json"));
  return Promise.all(files.map((file) => readResult(new URL(file, folder))));
}

/** Throws if a row misses a target, and the page about performance has no section about the row. */
export async function refuseUnexplained(
  rows: readonly Pick<RowResult, "name" | "played" | "targets">[],
): Promise<void> {
  const names = unexplainedRows(rows, await readProfileSections());
  if (names.length === 0) return;
  throw new Error(
    `These rows miss a target: ${names.join(", ")}. Explain why in docs/internals/performance.md, in a section whose heading contains the name of the row as code, such as "### \`${names[0]}\`: the reason".`,
  );
}

/** Rounds to the significant digits of a measurement. */
function shortNumbers(_name: string, value: unknown): unknown {
  return typeof value === "number" ? Number(value.toPrecision(5)) : value;
}

async function readResult(file: URL): Promise<RowResult> {
  return result.parse(JSON.parse(await readFile(file, "utf8")));
}
