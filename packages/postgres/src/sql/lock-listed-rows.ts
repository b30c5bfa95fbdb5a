/**
 * Returns the CTE `held`, which locks the rows that `$2` lists, in the order of their keys.
 *
 * `$2` is an array literal of values of the first key column. This is the distribution column, so a
 * cluster runs the statement on the node of the values. `where` is a further condition. Skips rows
 * that another transaction has locked, because one call of a batch must not wait for the row of
 * another call. A row of the CTE contains a `ctid` and the key.
 */
export function lockListedRowsSql(table: string, key: readonly string[], where = "true"): string {
  return `held as materialized (
    select ctid, ${key.join(", ")} from ${table}
    where ${key[0]} = any($2::text[]) and ${where}
    order by ${key.join(", ")} for update skip locked
  )`;
}

/**
 * Returns SQL for the join of the calls `asked` with the rows `held` of {@link lockListedRowsSql}.
 *
 * Join it by `ctid`. If a row changed after the statement began, its `ctid` differs, so the
 * statement does not change the row.
 */
export function heldCallsSql(calls: string, key: readonly string[]): string {
  return `(select held.ctid, asked.* from ${calls} join held using (${key.join(", ")}))`;
}
