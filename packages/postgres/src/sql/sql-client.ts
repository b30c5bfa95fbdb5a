/** The value of a placeholder. Times and amounts are safe integers. */
export type SqlValue = string | number | boolean | null;

/**
 * One row, by column name. Numbers, booleans and JSON are values of JavaScript. Other types, such
 * as `bigint` and `timestamptz`, are text on `pg`, whatever parsers the host has set.
 */
export type SqlRow = Readonly<Record<string, unknown>>;

/**
 * A statement with the placeholders `$1`, `$2`, …
 *
 * Statements with the same name have the same text, so that a server can keep them prepared.
 */
export interface SqlStatement {
  /** At most 63 bytes, because PostgreSQL distinguishes names by their first 63 bytes. */
  readonly name: string;
  readonly text: string;
}

/**
 * Runs statements, inside a transaction or each in its own. Rejects with the error of the driver.
 */
export interface SqlQueries {
  /** Runs `statement` and returns its rows. */
  query(statement: SqlStatement, values: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  /**
   * Runs statements without placeholders, separated by semicolons, such as migrations and grants.
   */
  script(text: string): Promise<void>;
}

/** Options of a transaction. */
export interface TransactionOptions {
  /** Runs the work only once. If the database undoes the work, rejects with its error. */
  readonly once?: boolean;
  /**
   * Whether `work` may wait for other calls of the client, which need a connection of their own.
   *
   * The client runs at most `maxWithNestedCalls` such transactions at once, and others wait.
   */
  readonly nestedCalls?: boolean;
}

/** Runs statements and transactions. */
export interface SqlRunner extends SqlQueries {
  /**
   * Runs `work` in one READ COMMITTED transaction.
   *
   * Commits if `work` resolves, and rolls back if it rejects. `work` may run again if the database
   * undid it to end a deadlock, so it should only run statements. Set `once` if `work` consumes its
   * input.
   */
  transaction<T>(work: (queries: SqlQueries) => Promise<T>, options?: TransactionOptions): Promise<T>;
}

/** The address of a node of a cluster, as the catalogue of the cluster contains it. */
export interface NodeAddress {
  readonly host: string;
  readonly port: number;
}

/** The database interface of this package, for a connection pool or an embedded database. */
export interface SqlClient extends SqlRunner {
  /**
   * Returns the runner of a node of a Citus cluster.
   *
   * Every node can run every statement, and is fastest for rows that it stores. If the node cannot
   * be reached, the runner uses the coordinator. Absent if all statements go through the
   * coordinator.
   */
  readonly onNode?: (node: NodeAddress) => SqlRunner;
  /** The limit of concurrent `nestedCalls` transactions: connections minus one, at least 1. */
  readonly maxWithNestedCalls?: number;
  /** Waits for running statements and closes the database. */
  close(): Promise<void>;
}
