import { type Ports, type Queues, readQueues } from "@tillkit/core";
import { Gauge } from "prom-client";
import { withDeadline } from "./deadline.js";
import type { Metrics } from "./metrics.js";

/**
 * Reports at each collection how much work waits for the reconciler and for an operator.
 *
 * Counts up to 1,000 items of each kind and reports the age of the oldest. If the storage does not
 * answer within `deadline` milliseconds, the values are absent, because an old value would look
 * current.
 */
export function watchQueues(
  { register }: Pick<Metrics, "register">,
  ports: Pick<Ports, "orders" | "refunds" | "billExceptions" | "clock">,
  deadline: number,
): void {
  let underWay: Promise<Queues | undefined> | undefined;
  // All gauges are collected together and share one query.
  const look = async (): Promise<Queues | undefined> => {
    underWay ??= Promise.resolve(readQueues(ports))
      .then((read) => (read.isOk() ? read.value : undefined))
      .finally(() => {
        underWay = undefined;
      });
    const found = await withDeadline(underWay, deadline);
    return found === "late" ? undefined : found;
  };
  const labelNames = ["queue"] as const;
  new Gauge({
    registers: [register],
    labelNames,
    name: "tillkit_queue_due",
    help: "Orders and refunds that are due at the reconciler. 1000 means 1000 or more.",
    async collect() {
      this.reset();
      const queues = await look();
      if (queues === undefined) return;
      for (const queue of ["orders", "refunds"] as const) this.set({ queue }, queues[queue].due);
    },
  });
  new Gauge({
    registers: [register],
    name: "tillkit_bill_exceptions_open",
    help: "Open differences between the wallets' bills and the stored orders and refunds. 1000 means 1000 or more.",
    async collect() {
      this.reset();
      const queues = await look();
      if (queues === undefined) this.remove();
      else this.set(queues.billExceptions.due);
    },
  });
  new Gauge({
    registers: [register],
    labelNames,
    name: "tillkit_queue_oldest_wait_seconds",
    help: "Seconds since the oldest due order or refund became due.",
    async collect() {
      this.reset();
      const queues = await look();
      if (queues === undefined) return;
      const now = ports.clock.now();
      for (const queue of ["orders", "refunds"] as const) {
        this.set({ queue }, Math.max(0, now - (queues[queue].oldestDueAt ?? now)) / 1_000);
      }
    },
  });
}
