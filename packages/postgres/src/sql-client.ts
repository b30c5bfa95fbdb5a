/** What a placeholder can stand for. Times and money go in as numbers, whole and safe. */
export type SqlValue = string | number | boolean | null;

/** One row as a driver gives it, by name of column. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** A statement with placeholders `$1`, `$2`, … Equal names mean equal texts, so that a server can keep it prepared. */
export interface SqlStatement {
  /** At most 63 bytes, which is what PostgreSQL tells names apart by. */
  readonly name: string;
  readonly text: string;
}

/** What runs statements, inside of a transaction or each in its own. A driver's error rejects. */
export interface SqlQueries {
  /** Runs `statement` and gives the rows it returned. */
  query(statement: SqlStatement, values: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  /** Runs statements without placeholders, separated by semicolons: migrations and grants. */
  script(text: string): Promise<void>;
}

/** What is special about a transaction. */
export interface TransactionOptions {
  /** Its work cannot be done again: where the database undid it, it rejects with the database's error. */
  readonly once?: boolean;
}

/** A database as this package needs it: small enough for a pool of connections and for a database in the process alike. */
export interface SqlClient extends SqlQueries {
  /**
   * Runs `work` in one READ COMMITTED transaction: what it did is kept when it resolves and undone when it rejects. It may run more than once, when the
   * database undid it to end a deadlock: let it do nothing but speak to the database, and say `once` where it uses up what it works on.
   */
  transaction<T>(work: (queries: SqlQueries) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Waits for what is running and lets go of the database. */
  close(): Promise<void>;
}
