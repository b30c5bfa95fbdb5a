import { reconcileOrders, type Ports } from "@tillkit/core";

/** Asks the wallets about open orders and refunds, again and again. */
export interface Reconciler {
  /** One round that begins no earlier than now. Resolves when it is over; never rejects. */
  round(): Promise<void>;
  /** Starts no further round by itself and waits for the one under way. */
  stop(): Promise<void>;
}

/** How much work is taken at once; a round goes on while there was that much. */
const AT_ONCE = 50;

/** Starts a round every `interval` milliseconds; one that falls into another is left out. The timer keeps no process alive. */
export function startReconciler(
  ports: Ports,
  interval: number,
  report: (problem: string) => void,
): Reconciler {
  let underWay: Promise<void> | undefined;

  // Rounds asked for meanwhile wait for the one that runs: it may have looked at the clock before they were asked for.
  function round(): Promise<void> {
    const mine = (underWay ?? Promise.resolve()).then(reconcile).finally(() => {
      if (underWay === mine) underWay = undefined;
    });
    underWay = mine;
    return mine;
  }

  async function reconcile(): Promise<void> {
    const done = await reconcileOrders(ports, AT_ONCE);
    // The next round tries again, so that a failed one is worth a line and nothing more.
    if (done.isErr()) report(`reconciler: ${done.error.name}`);
    else if (Math.max(done.value.orders, done.value.refunds) === AT_ONCE) await reconcile();
  }

  const timer = setInterval(() => {
    if (underWay === undefined) void round();
  }, interval);
  timer.unref();

  return {
    round,
    stop: async () => {
      clearInterval(timer);
      await underWay;
    },
  };
}
