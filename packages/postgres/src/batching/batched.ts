// Imported, because fake timers in a test replace the global function and would stop the stores.
import { setImmediate } from "node:timers";
import { errorCode } from "@tillkit/core/errors";
import { settledOrTimeout } from "./settled-or-timeout.js";

/** Options for batching concurrent calls into one statement. */
export interface BatchOptions {
  /** The maximum number of calls per statement. Defaults to 64; 1 disables batching. */
  readonly maxBatchSize?: number;
}

/** A store method that can run one call or a batch. Its result must not be `undefined`. */
export interface BatchedMethod<A, R> {
  /** Runs one call as its own statement. */
  readonly runOne: (call: A) => Promise<R>;
  /**
   * Runs several calls as one statement, and maps the position of each call to its result.
   *
   * A call without a result runs again alone. This happens if another transaction has locked the
   * row, or if the statement could not see it. The statement must not wait for rows that a
   * transaction of several statements has locked. It may wait for a row that such a transaction
   * inserts.
   */
  readonly runBatch: (calls: readonly A[]) => Promise<ReadonlyMap<number, R>>;
  /**
   * Returns the key of the row that a call writes. Two calls with the same key never share a batch.
   */
  readonly keyOf?: (call: A) => string;
  /**
   * The maximum number of running statements. Later calls wait and form a batch. Defaults to 2.
   *
   * A statement that has run for 50 ms no longer counts. With the limit 1, batches
   * become larger: set it for a method whose statement costs more than waiting.
   */
  readonly maxConcurrent?: number;
  /**
   * Whether the method only reads rows, which may be on several nodes of a cluster.
   *
   * If the cluster cannot reach a node, each call of the batch runs again alone. Only the calls for
   * rows of that node then fail. Defaults to false.
   */
  readonly readsNodes?: boolean;
}

/**
 * Batches the concurrent calls of a store method.
 *
 * Calls of the same turn of the event loop share one statement. Under load, calls also collect
 * while the method has `maxConcurrent` running statements. A single call runs at the end of
 * the turn, as its own statement.
 *
 * If the server undid a batch because of one call, each call runs again alone, so only that call
 * fails. After any other error, such as a lost connection, the outcome is unknown: all calls of the
 * batch fail, and none runs twice.
 *
 * Throws if `maxBatchSize` is not a positive integer.
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/batched-statements.md |
 *   Concurrent calls share a statement}
 */
export function batched<A, R>(
  { runOne, runBatch, keyOf, maxConcurrent = 2, readsNodes = false }: BatchedMethod<A, R>,
  { maxBatchSize = 64 }: BatchOptions = {},
): (call: A) => Promise<R> {
  if (!Number.isSafeInteger(maxBatchSize) || maxBatchSize < 1)
    throw new RangeError("maxBatchSize must be a whole number of calls, 1 or more.");
  if (maxBatchSize === 1) return runOne;

  let waiting: Waiting<A, R>[] = [];
  let underWay = 0;
  let due = false;

  const alone = async ({ call, resolve, reject }: Waiting<A, R>): Promise<void> => {
    try {
      resolve(await runOne(call));
    } catch (error) {
      reject(error);
    }
  };

  const together = async (group: readonly Waiting<A, R>[]): Promise<void> => {
    let answers: ReadonlyMap<number, R>;
    try {
      answers = await runBatch(group.map(({ call }) => call));
    } catch (error) {
      for (const one of group) {
        if (isCausedByOneCall(error) || (readsNodes && isCausedByNode(error))) void alone(one);
        else one.reject(error);
      }
      return;
    }
    // Not awaited: a single call may wait for a lock, and the next batch must not wait for it.
    for (const [place, one] of group.entries()) {
      const answer = answers.get(place);
      if (answer === undefined) void alone(one);
      else one.resolve(answer);
    }
  };

  const send = (group: readonly Waiting<A, R>[]): void => {
    underWay += 1;
    void settledOrTimeout(group.length > 1 ? together(group) : Promise.all(group.map(alone))).then(() => {
      underWay -= 1;
      sendLater();
    });
  };

  const sendLater = (): void => {
    if (due || waiting.length === 0 || underWay >= maxConcurrent) return;
    due = true;
    setImmediate(() => {
      due = false;
      while (waiting.length > 0 && underWay < maxConcurrent) {
        const { group, rest } = parted(waiting, maxBatchSize, keyOf);
        waiting = rest;
        send(group);
      }
    });
  };

  return (call) =>
    new Promise((resolve, reject) => {
      waiting.push({ call, resolve, reject });
      sendLater();
    });
}

/** A waiting call with the callbacks of its promise. */
interface Waiting<A, R> {
  readonly call: A;
  readonly resolve: (answer: R) => void;
  readonly reject: (error: unknown) => void;
}

/** Splits `waiting` into the next batch and the rest. */
function parted<A, R>(
  waiting: readonly Waiting<A, R>[],
  atMost: number,
  keyOf: BatchedMethod<A, R>["keyOf"],
) {
  const group: Waiting<A, R>[] = [];
  const rest: Waiting<A, R>[] = [];
  const keys = new Set<string>();
  for (const one of waiting) {
    const key = keyOf?.(one.call);
    const fits = group.length < atMost && (key === undefined || !keys.has(key));
    if (key !== undefined) keys.add(key);
    (fits ? group : rest).push(one);
  }
  return { group, rest };
}

/**
 * Returns whether the server undid the statement because of an error that one call can cause.
 *
 * Such errors are invalid values, constraints, limits, locks and the statement timeout. The check
 * reads the code, because the severity is a translated text. No single call is the cause of any
 * other error, so running each call on its own would not help.
 */
function isCausedByOneCall(error: unknown): boolean {
  const code = errorCode(error);
  return typeof code === "string" && /^(?:(?:22|23|54)[0-9A-Z]{3}|40001|40P01|55P03|57014)$/.test(code);
}

/** Returns whether the coordinator of a cluster reports that it cannot reach a node. */
function isCausedByNode(error: unknown): boolean {
  const code = errorCode(error);
  return typeof code === "string" && /^08[0-9A-Z]{3}$/.test(code);
}
