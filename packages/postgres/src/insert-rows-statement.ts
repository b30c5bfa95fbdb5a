import type { SqlStatement } from "./sql-client.js";
import { statement } from "./statement.js";

/** Returns the statement that inserts a number of rows. Keeps one statement per number. */
export function insertRowsStatement(
  method: string,
  columns: readonly string[],
  write: (rows: string, columns: string) => string,
): (count: number) => SqlStatement {
  const made = new Map<number, SqlStatement>();
  return (count) => {
    const known = made.get(count);
    if (known !== undefined) return known;
    const rows = Array.from(
      { length: count },
      (_, row) => `(${columns.map((_column, index) => `$${row * columns.length + index + 1}`).join(", ")})`,
    );
    const one = statement(method, write(rows.join(", "), columns.join(", ")));
    made.set(count, one);
    return one;
  };
}
