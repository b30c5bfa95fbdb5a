import type { PgConnection, PgQuery } from "./pg-connections.js";
import type { SqlRow } from "./sql-client.js";

/** A connection for one transaction. */
export interface Line {
  /** Runs a statement. Rejects at once if the connection is lost. */
  readonly query: (query: PgQuery) => Promise<{ rows: SqlRow[] }>;
  /** Whether the server left a statement without an answer: the client gave it up, or the network did. */
  readonly isLost: () => boolean;
}

/** Uses `connection` until it is lost, so that a transaction waits for a silent server once and not for each statement. */
export function untilLost(connection: Pick<PgConnection, "query">): Line {
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

/** Only errors that the server sent have a severity. */
function isAnswer(error: unknown): boolean {
  return error instanceof Error && "severity" in error && error.severity !== undefined;
}
