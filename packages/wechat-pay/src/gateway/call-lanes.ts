/** How a wait for a lane ended: it may call, too many wait already, or its patience was over first. */
export type Entry = "entered" | "full" | "late";

/** A limit of calls in flight, by merchant. */
export interface CallLanes {
  /** Waits for its turn, first come first served. Who `entered` must `leave`. */
  enter(merchantId: string, signal: AbortSignal): Promise<Entry>;
  leave(merchantId: string): void;
}

interface Lane {
  inFlight: number;
  readonly waiting: Set<() => void>;
}

/** At most `maxInFlight` calls of one merchant at a time, with at most `maxWaiting` waiting behind them. */
export function callLanes(limits: { readonly maxInFlight: number; readonly maxWaiting: number }): CallLanes {
  // A lane is here only while somebody is in it.
  const lanes = new Map<string, Lane>();
  return {
    enter(merchantId, signal) {
      const lane = lanes.get(merchantId) ?? { inFlight: 0, waiting: new Set() };
      lanes.set(merchantId, lane);
      if (lane.inFlight < limits.maxInFlight) {
        lane.inFlight += 1;
        return Promise.resolve("entered");
      }
      if (lane.waiting.size >= limits.maxWaiting) return Promise.resolve("full");
      return new Promise((resolve) => {
        const giveUp = () => {
          lane.waiting.delete(goOn);
          resolve("late");
        };
        const goOn = () => {
          signal.removeEventListener("abort", giveUp);
          resolve("entered");
        };
        lane.waiting.add(goOn);
        signal.addEventListener("abort", giveUp, { once: true });
      });
    },
    leave(merchantId) {
      const lane = lanes.get(merchantId);
      if (lane === undefined) return;
      const [next] = lane.waiting;
      if (next !== undefined) {
        // The one that leaves hands its place on.
        lane.waiting.delete(next);
        next();
        return;
      }
      lane.inFlight -= 1;
      if (lane.inFlight === 0) lanes.delete(merchantId);
    },
  };
}
