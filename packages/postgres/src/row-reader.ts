import { text } from "./row.js";
import type { SqlRow } from "./sql-client.js";
import type { TableName } from "./tables.js";

/** A stored row that this version cannot read: changed by hand, or written by another version. */
export interface UnreadableRow {
  readonly table: TableName;
  /** The values of the columns that tell the row apart. */
  readonly key: readonly string[];
  /** What is wrong with it. It holds no value of the row. */
  readonly reason: string;
}

/** Is called with each row that a list leaves out because it cannot be read. It must not throw. */
export type OnUnreadable = (row: UnreadableRow) => void;

/** Reads the rows of one table. */
export interface RowReader<T> {
  /**
   * Reads the row that was asked for.
   *
   * Throws an error that names it, see {@link unreadableRowOf}.
   */
  readonly one: (row: SqlRow) => T;
  /**
   * Reads a list.
   *
   * A row that cannot be read is left out and reported, and the others are returned.
   */
  readonly all: (rows: readonly SqlRow[]) => readonly T[];
}

const known = new WeakMap<Error, UnreadableRow>();

/**
 * The row because of which `cause` was thrown, if it was: the `cause` of a `storage.unavailable`.
 */
export function unreadableRowOf(cause: unknown): UnreadableRow | undefined {
  return cause instanceof Error ? known.get(cause) : undefined;
}

/**
 * A reader of rows of `table`, which `key` tells apart. `read` throws if a column holds something
 * else than it expects. By default, rows that a list leaves out are reported as a warning of the
 * process, each once.
 */
export function rowReader<T>(
  table: TableName,
  key: readonly string[],
  read: (row: SqlRow) => T,
  onUnreadable: OnUnreadable = warnOnce,
): RowReader<T> {
  const unreadable = (row: SqlRow, cause: unknown): UnreadableRow => ({
    table,
    key: key.map((column) => text(row, column)),
    // Other errors, such as those of `JSON.parse`, may quote the value.
    reason: cause instanceof TypeError ? cause.message : "A value is not what this version expects.",
  });
  return {
    one(row) {
      try {
        return read(row);
      } catch (cause) {
        const described = unreadable(row, cause);
        const error = new Error(`The row ${described.key.join(", ")} of ${table} cannot be read.`, { cause });
        known.set(error, described);
        throw error;
      }
    },
    all: (rows) =>
      rows.flatMap((row) => {
        try {
          return [read(row)];
        } catch (cause) {
          onUnreadable(unreadable(row, cause));
          return [];
        }
      }),
  };
}

const warned = new Set<string>();
/** After so many different rows the process is not warned again. */
const WARNINGS = 1_000;

function warnOnce({ table, key, reason }: UnreadableRow): void {
  const row = `${table} ${JSON.stringify(key)}`;
  if (warned.has(row) || warned.size >= WARNINGS) return;
  warned.add(row);
  process.emitWarning("A stored row cannot be read and is left out.", {
    type: "TillkitWarning",
    detail: `${row}: ${reason}`,
  });
}
