import type { SqlQueries, SqlRow, SqlValue } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";

/** Runs a handler's statements in the transaction that stores the delivery of the event. */
export interface HandlerSql {
  /**
   * Runs one statement with the placeholders `$1`, `$2`, … and returns its rows.
   *
   * The server keeps the text prepared, so pass changing values as `values`, for example those that
   * an ORM returns with its SQL. A value may be a text, a number, a boolean, a `bigint`, a `Date`
   * or null. Rejects other values, statements that begin or end a transaction, and every statement
   * after the end of the attempt.
   */
  query(text: string, values?: readonly unknown[]): Promise<readonly SqlRow[]>;
}

/** A handler's access to its transaction during one attempt. */
export interface HandlerSession {
  readonly sql: HandlerSql;
  /** The errors of the statements that failed, in order. */
  readonly errors: readonly unknown[];
  /** Rejects all later statements, because other calls may then use the connection. */
  end(): void;
}

/** A statement that begins or ends a transaction. `rollback to` only returns to a savepoint. */
const TRANSACTION_CONTROL =
  /^\s*(?:begin|start\s+transaction|commit|end|abort|prepare\s+transaction|rollback(?!(?:\s+(?:work|transaction))?\s+to\b))\b/i;

/** Opens the access of a handler to `transaction`. */
export function openHandlerSession(transaction: Pick<SqlQueries, "query">): HandlerSession {
  const errors: unknown[] = [];
  let ended = false;
  return {
    sql: {
      query: async (text, values = []) => {
        if (ended) throw new Error("The attempt has ended, so its transaction runs no more statements.");
        if (TRANSACTION_CONTROL.test(text))
          throw new Error(
            "A handler cannot begin or end a transaction: Tillkit commits it with the delivery.",
          );
        try {
          return await transaction.query(statement("event_handler", text), values.map(sqlValue));
        } catch (error) {
          errors.push(error);
          throw error;
        }
      },
    },
    errors,
    end: () => {
      ended = true;
    },
  };
}

function sqlValue(value: unknown): SqlValue {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "bigint") return String(value);
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return value;
  throw new TypeError(
    `A handler's statement takes texts, numbers, booleans, bigint, Date and null, not ${typeof value}.`,
  );
}
