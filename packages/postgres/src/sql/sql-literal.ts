/** Returns `value` as an SQL string, for a text that takes no placeholders. */
export function sqlLiteral(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
