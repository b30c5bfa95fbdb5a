import { err, ok, type Result } from "neverthrow";

/** Returns the field of a row for one of the adapter's own column names. */
export type Fields<K extends string> = (column: K) => string;

/**
 * Splits a header row into column names, and converts their brackets to full-width brackets.
 *
 * The wallets write the brackets around a unit in half-width or in full-width form.
 */
export function columnNames(text: string): readonly string[] {
  return text.split(",").map((name) => name.trim().replaceAll("(", "（").replaceAll(")", "）"));
}

/**
 * Locates the columns of a table by the names in its header row, in any order.
 *
 * The error names a column that is missing or that occurs twice.
 */
export function columns<K extends string>(
  header: readonly string[],
  names: Readonly<Record<K, string>>,
): Result<(row: readonly string[]) => Fields<K>, string> {
  for (const name of Object.values<string>(names)) {
    if (!header.includes(name)) return err(`the column ${name} is missing`);
    if (header.indexOf(name) !== header.lastIndexOf(name)) return err(`the column ${name} occurs twice`);
  }
  return ok((row) => (column) => row[header.indexOf(names[column])] ?? "");
}
