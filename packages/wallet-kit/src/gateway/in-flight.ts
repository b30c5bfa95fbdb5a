import { err, ok, type Result, ResultAsync } from "neverthrow";

/** Why a piece of work was not begun. */
export type NotBegun = "busy" | "timeout";

/** Bounds how much is under way at once for each key, and how much may wait for it. */
export interface InFlight {
  /**
   * Runs `work` when its turn comes, in the order of the calls. `busy`: too many wait already. `timeout`: `signal` ended the waiting.
   * In both cases `work` was never called.
   */
  run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): ResultAsync<T, NotBegun>;
}

interface Lane {
  running: number;
  readonly waiting: Set<() => void>;
}

/** Opens a limit of `maxRunning` pieces of work at once and `maxWaiting` behind them, for each key by itself. */
export function inFlight(maxRunning: number, maxWaiting: number): InFlight {
  const lanes = new Map<string, Lane>();

  async function turn(lane: Lane, signal: AbortSignal): Promise<Result<void, NotBegun>> {
    if (signal.aborted) return err("timeout");
    if (lane.running < maxRunning) {
      lane.running += 1;
      return ok(undefined);
    }
    if (lane.waiting.size >= maxWaiting) return err("busy");
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
    // The place goes on to the next in line, so nobody can slip in between.
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
