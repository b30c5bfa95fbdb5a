import type { SqlValue } from "../sql/sql-client.js";

/** Returns the arguments of `execute` with the values of a prepared statement. */
export function argumentsSql(values: readonly SqlValue[]): string {
  if (values.length === 0) return "";
  const literal = (value: SqlValue): string =>
    typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
  return `(${values.map(literal).join(", ")})`;
}
