import type { SqlStatement } from "./sql-client.js";
import { statement } from "./statement.js";

/**
 * Returns the statement that inserts a number of rows. Keeps one statement per number.
 *
 * Values of the columns in `bytes` are passed as hexadecimal text.
 */
export function insertRowsStatement(
  method: string,
  columns: readonly string[],
  write: (rows: string, columns: string) => string,
  bytes: readonly string[] = [],
): (count: number) => SqlStatement {
  const made = new Map<number, SqlStatement>();
  return (count) => {
    const known = made.get(count);
    if (known !== undefined) return known;
    const value = (column: string, place: string): string =>
      bytes.includes(column) ? `decode(${place}, 'hex')` : place;
    const rows = Array.from({ length: count }, (_, row) => {
      const places = columns.map((column, index) => value(column, `$${row * columns.length + index + 1}`));
      return `(${places.join(", ")})`;
    });
    const one = statement(method, write(rows.join(", "), columns.join(", ")));
    made.set(count, one);
    return one;
  };
}
