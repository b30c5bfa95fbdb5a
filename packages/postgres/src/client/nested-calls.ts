import { AsyncLocalStorage } from "node:async_hooks";
import type { SqlClient, SqlRunner } from "../sql/sql-client.js";

/** The connections of a client. */
export interface NestedCallsOptions {
  /** How many connections the client has. `undefined` if it does not know. */
  readonly connections: number | undefined;
  /** How long a transaction waits until it may begin, in milliseconds. */
  readonly waitMs: number;
}

/**
 * Returns a runner whose transactions with `nestedCalls` never hold all connections.
 *
 * If they held all connections, each transaction could wait for a connection that only another
 * transaction can release. A client with one connection rejects a nested call, which could never
 * end.
 */
export function withNestedCalls(
  runner: SqlRunner,
  { connections, waitMs }: NestedCallsOptions,
): SqlRunner & Required<Pick<SqlClient, "maxWithNestedCalls">> {
  // At least two connections are assumed if the number is unknown.
  const limit = Math.max((connections ?? 2) - 1, 1);
  const slots = openSlots(limit, waitMs);
  const outer = new AsyncLocalStorage<{ isOpen: boolean }>();
  const refuseIfEndless = (): void => {
    if (connections === 1 && outer.getStore()?.isOpen === true) throw new NestedCallRefused();
  };
  const refusing: Pick<SqlRunner, "query" | "script"> = {
    query: async (statement, values) => {
      refuseIfEndless();
      return runner.query(statement, values);
    },
    script: async (text) => {
      refuseIfEndless();
      return runner.script(text);
    },
  };
  return {
    ...runner,
    ...(connections === 1 && refusing),
    maxWithNestedCalls: limit,
    transaction: async (work, options) => {
      refuseIfEndless();
      if (options?.nestedCalls !== true) return runner.transaction(work, options);
      await slots.acquire();
      const own = { isOpen: true };
      try {
        return await runner.transaction((queries) => outer.run(own, () => work(queries)), options);
      } finally {
        own.isOpen = false;
        slots.release();
      }
    },
  };
}

/** The error of a nested call for which no connection is left, so it would wait forever. */
export class NestedCallRefused extends Error {
  override readonly name = "NestedCallRefused";
  /** What the developer must do. */
  readonly remedy =
    "Give pgClient a pool with `max` of at least 2, or call the store in an ordinary event handler. An embedded database always has one connection.";

  constructor() {
    super(
      "A handler called a store inside of its transaction, which holds the only connection of the client.",
    );
  }
}

/** Creates a limiter with `limit` slots. Waiting callers get a slot in the order of their calls. */
function openSlots(limit: number, waitMs: number) {
  let free = limit;
  const waiting = new Set<() => void>();
  return {
    acquire: (): Promise<void> => {
      if (free > 0) {
        free -= 1;
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        const begin = (): void => {
          clearTimeout(timer);
          waiting.delete(begin);
          resolve();
        };
        const timer = setTimeout(() => {
          waiting.delete(begin);
          reject(
            new Error(
              `No handler's transaction ended within ${waitMs} ms, and ${limit} may run at once: enlarge the pool, or shorten the handlers.`,
            ),
          );
        }, waitMs);
        waiting.add(begin);
      });
    },
    release: (): void => {
      const [next] = waiting;
      if (next === undefined) free += 1;
      else next();
    },
  };
}
