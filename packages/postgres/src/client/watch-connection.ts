import { isError } from "@tillkit/core/errors";
import type { PgConnection, PgQuery } from "./pg-connections.js";
import type { SqlRow } from "../sql/sql-client.js";

/** The connection of one transaction. */
export interface WatchedConnection {
  /** Runs a statement. Rejects immediately if the connection is lost. */
  readonly query: (query: PgQuery) => Promise<{ rows: SqlRow[] }>;
  /**
   * Returns whether a statement received no answer: the client timed out, or the network failed.
   */
  readonly isLost: () => boolean;
}

/**
 * Wraps `connection` so that a transaction waits for an unresponsive server only once.
 *
 * After one statement without an answer, every further statement rejects with the same error.
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/storage-failures.md |
 *   Failures of the storage}
 */
export function watchConnection(connection: Pick<PgConnection, "query">): WatchedConnection {
  let lost: { readonly error: unknown } | undefined;
  return {
    query: async (query) => {
      if (lost !== undefined) throw lost.error;
      try {
        return await connection.query(query);
      } catch (error) {
        if (!isAnswer(error)) lost = { error };
        throw error;
      }
    },
    isLost: () => lost !== undefined,
  };
}

/** Only errors from the server have a severity. */
function isAnswer(error: unknown): boolean {
  return isError(error) && "severity" in error && error.severity !== undefined;
}
