/** One problem that an examination found. */
export interface Finding {
  readonly kind: string;
  /** What the problem is about: a table, a pay tool or the clock. */
  readonly subject: string;
  /** What is wrong, and what its consequence is. */
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
}

/** Returns whether a migration or a table is missing, according to the findings of the schema. */
export function isIncomplete(schema: readonly Finding[]): boolean {
  return schema.some(({ kind }) => kind === "not-migrated" || kind === "missing-table");
}
