import { reconcileOrders, type Ports } from "@tillkit/core";
import { type Loop, startLoop } from "./loop.js";

/** The batch size. A round continues as long as its batches are full. */
const AT_ONCE = 50;

/** Queries the wallets about open orders and refunds every `interval` milliseconds. */
export function startReconciler(ports: Ports, interval: number, report: (problem: string) => void): Loop {
  async function reconcile(): Promise<void> {
    const done = await reconcileOrders(ports, AT_ONCE);
    // The next round retries, so a failed round only prints a line.
    if (done.isErr()) report(`reconciler: ${done.error.name}`);
    else if (Math.max(done.value.orders, done.value.refunds) === AT_ONCE) await reconcile();
  }
  return startLoop(reconcile, interval);
}
