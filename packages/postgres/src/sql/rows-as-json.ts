/** Returns a column with the rows of `query` as JSON text, in their order. `jsonRows` reads it. */
export function rowsAsJson(column: string, query: string): string {
  return `(select coalesce(json_agg(listed), '[]')::text from (${query}) listed) as ${column}`;
}
