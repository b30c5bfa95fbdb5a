/** What can be found wrong with a schema. */
export type SchemaFindingKind =
  | "not-migrated"
  | "too-new"
  | "newer"
  | "altered"
  | "missing-table"
  | "unknown-table"
  | "missing-column"
  | "changed-column"
  | "unknown-column"
  | "missing-index"
  | "changed-index"
  | "invalid-index"
  | "unknown-index"
  | "missing-constraint"
  | "changed-constraint"
  | "unknown-constraint"
  | "missing-role"
  | "missing-grant"
  | "excess-grant";

/** One thing that is not as the migrations and grants of this version make it. */
export interface SchemaFinding {
  readonly kind: SchemaFindingKind;
  /** What it is about: a migration, a table, `table.column`, an index, a role. */
  readonly subject: string;
  /** One line that says what is wrong and what comes of it. */
  readonly message: string;
  /** What to do about it: SQL for the tables' owner where that is all there is to it. */
  readonly fix: string;
}
