import { err, ok, type Result } from "neverthrow";

/** The fields of a row by names of our own. */
export type Fields<K extends string> = (column: K) => string;

/** Finds the columns of a table by what its first row calls them, wherever they stand. The problem names a column that is missing or there twice. */
export function columns<K extends string>(
  header: readonly string[],
  names: Readonly<Record<K, string>>,
): Result<(row: readonly string[]) => Fields<K>, string> {
  for (const name of Object.values<string>(names)) {
    if (!header.includes(name)) return err(`the column ${name} is missing`);
    if (header.indexOf(name) !== header.lastIndexOf(name)) return err(`the column ${name} is there twice`);
  }
  return ok((row) => (column) => row[header.indexOf(names[column])] ?? "");
}
