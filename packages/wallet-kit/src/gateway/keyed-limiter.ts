import { err, ok, type Result, ResultAsync } from "neverthrow";

/** Why work was not started: the queue was full, or the signal aborted first. */
export type NotStarted = "busy" | "timeout";

/** Limits the number of running and of waiting operations per key. */
export interface KeyedLimiter {
  /**
   * Runs `work` when a place is free, in the order of the calls.
   *
   * Fails with `busy` if the queue is full, and with `timeout` if `signal` aborts first. In both
   * cases `work` is not called.
   */
  run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): ResultAsync<T, NotStarted>;
}

interface Lane {
  running: number;
  readonly waiting: Set<() => void>;
}

/**
 * Creates a limiter with separate limits for each key.
 *
 * @param maxConcurrent - Maximum number of operations that run at the same time per key.
 * @param maxQueued - Maximum number of operations that wait per key.
 */
export function createKeyedLimiter(maxConcurrent: number, maxQueued: number): KeyedLimiter {
  const lanes = new Map<string, Lane>();

  async function turn(lane: Lane, signal: AbortSignal): Promise<Result<void, NotStarted>> {
    if (signal.aborted) return err("timeout");
    if (lane.running < maxConcurrent) {
      lane.running += 1;
      return ok(undefined);
    }
    if (lane.waiting.size >= maxQueued) return err("busy");
    return new Promise((resolve) => {
      const begin = () => {
        signal.removeEventListener("abort", giveUp);
        resolve(ok(undefined));
      };
      const giveUp = () => {
        lane.waiting.delete(begin);
        resolve(err("timeout"));
      };
      lane.waiting.add(begin);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  function leave(key: string, lane: Lane): void {
    const [next] = lane.waiting;
    if (next === undefined) {
      lane.running -= 1;
      if (lane.running === 0) lanes.delete(key);
      return;
    }
    // The place passes directly to the next waiting operation, so a new call cannot take it.
    lane.waiting.delete(next);
    next();
  }

  return {
    run: (key, signal, work) => {
      const lane = lanes.get(key) ?? { running: 0, waiting: new Set() };
      const attempt = async () => {
        const begun = await turn(lane, signal);
        if (begun.isErr()) return err(begun.error);
        try {
          return ok(await work());
        } finally {
          leave(key, lane);
        }
      };
      if (!signal.aborted) lanes.set(key, lane);
      return new ResultAsync(attempt());
    },
  };
}
