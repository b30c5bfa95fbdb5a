import { type Meter, metrics } from "@opentelemetry/api";
import { type Ports, type Queues, readQueues } from "@tillkit/core";
import { SCOPE } from "./scope.js";

/** The options of {@link observeQueues}. */
export interface QueueOptions {
  /** Defaults to the global meter provider's meter of this package. */
  readonly meter?: Meter;
  /** How long the storage may take, in milliseconds. Defaults to 1,000. */
  readonly timeoutMs?: number;
}

/**
 * Reports at each collection how much work waits for the background tasks and for an operator.
 *
 * Counts at most 1,000 items of each kind. One collection makes one query of each kind. If the
 * storage does not answer in time, `tillkit.queue.readable` is 0 and the other values are NaN,
 * because an old value would look current.
 *
 * @param ports - Give it a connection of its own, so that a busy host still reports.
 * @example
 * ```ts
 * import { observeQueues } from "@tillkit/opentelemetry";
 *
 * observeQueues(ports, { timeoutMs: 500 });
 * ```
 */
export function observeQueues(
  ports: Pick<Ports, "orders" | "refunds" | "billExceptions" | "eventDeliveries" | "clock">,
  { meter = metrics.getMeter(SCOPE), timeoutMs = 1_000 }: QueueOptions = {},
): void {
  const due = meter.createObservableGauge("tillkit.queue.due", {
    description: "Orders, refunds and events that are due, counted up to 1000.",
  });
  const wait = meter.createObservableGauge("tillkit.queue.oldest_wait", {
    description: "How long the oldest due order, refund or event has waited.",
    unit: "s",
  });
  const exceptions = meter.createObservableGauge("tillkit.bill.exceptions.open", {
    description: "Open differences between the wallets' bills and the stored orders, counted up to 1000.",
  });
  const parked = meter.createObservableGauge("tillkit.events.parked", {
    description: "Deliveries of events that an operator must replay or skip, counted up to 1000.",
  });
  const readable = meter.createObservableGauge("tillkit.queue.readable", {
    description: "1 if the last collection could read the queues, otherwise 0.",
  });
  meter.addBatchObservableCallback(
    async (result) => {
      const queues = await within(timeoutMs, readQueues(ports).unwrapOr(undefined));
      const now = ports.clock.now();
      result.observe(readable, queues === undefined ? 0 : 1);
      for (const queue of ["orders", "refunds", "events"] as const) {
        const { due: count, oldestDueAt = now } = queues?.[queue] ?? { due: NaN, oldestDueAt: NaN };
        result.observe(due, count, { queue });
        result.observe(wait, Math.max(0, now - oldestDueAt) / 1_000, { queue });
      }
      result.observe(parked, queues?.parkedEvents.due ?? NaN);
      result.observe(exceptions, queues?.billExceptions.due ?? NaN);
    },
    [due, wait, exceptions, parked, readable],
  );
}

/** Resolves with `undefined` if the queues are not read within `ms` milliseconds. */
async function within(ms: number, read: Promise<Queues | undefined>): Promise<Queues | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined);
    }, ms);
  });
  try {
    return await Promise.race([read, late]);
  } finally {
    clearTimeout(timer);
  }
}
