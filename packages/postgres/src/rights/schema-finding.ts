/** The kind of a {@link SchemaFinding}. */
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
  | "not-distributed"
  | "wrong-distribution"
  | "wrong-colocation"
  | "local-rows"
  | "inactive-node"
  | "unreachable-node"
  | "unsynced-node"
  | "standby-node"
  | "wrong-node"
  | "missing-setting"
  | "wrong-encoding"
  | "harmful-setting"
  | "unlogged-table"
  | "row-security"
  | "foreign-rule"
  | "foreign-trigger"
  | "public-grant"
  | "missing-role"
  | "missing-grant"
  | "excess-grant";

/** A problem of a schema, of its database or of its cluster, with its remedy. */
export interface SchemaFinding {
  readonly kind: SchemaFindingKind;
  /** The name of the migration, table, `table.column`, index, constraint, setting, role or node. */
  readonly subject: string;
  /** One line with the problem and its consequence. */
  readonly message: string;
  /** The remedy: an instruction, or SQL for the owner of the tables. */
  readonly fix: string;
}
