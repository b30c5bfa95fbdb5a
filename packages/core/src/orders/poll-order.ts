import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Policy } from "../policy.js";
import { attempt } from "../shared/attempt.js";
import type { Order } from "./order.js";
import { refreshOrder, type RefreshPorts } from "./refresh-order.js";
import { keyOf } from "./transition-order.js";

/** Asks the wallet about a due order, and stores when it is asked next. */
export function pollOrder(ports: RefreshPorts, order: Order): ResultAsync<void, StorageFailure> {
  return attempt(async () => {
    // Moments that pass while the wallet is silent are ahead of the question: the answer is too old for them.
    const askedAt = ports.clock.now();
    const refreshed = await refreshOrder(ports, order, ports.policy.walletDeadline);
    const status = refreshed.isOk() ? refreshed.value.paymentStatus : order.paymentStatus;
    // A CLOSE order is asked about for a last time; without an answer it comes again after the lease.
    if (refreshed.isOk() && status === "CLOSE" && order.paymentStatus === "CLOSE") {
      const scheduled = await ports.orders.schedule(keyOf(order), undefined);
      if (scheduled.isErr()) return scheduled;
    }
    if (status === "PENDING") {
      const scheduledResult = await ports.orders.schedule(
        keyOf(order),
        nextQueryAt(order, askedAt, ports.policy),
      );
      if (scheduledResult.isErr()) return scheduledResult;
    }
    return ok(undefined);
  });
}

/**
 * When a PENDING order that was asked about at `askedAt` is asked about next: at the first age of `policy.querySchedule` it had not reached then, or the
 * moment it can be closed if that is sooner: on a proven answer, then on any. `undefined` when the schedule is over.
 */
export function nextQueryAt(
  { gmtCreate, expiresAt }: Pick<Order, "gmtCreate" | "expiresAt">,
  askedAt: number,
  { querySchedule, expiryMargin, unprovenNoPeriod }: Policy,
): number | undefined {
  const closable = expiresAt + expiryMargin;
  const moments = [...querySchedule.map((age) => gmtCreate + age), closable, closable + unprovenNoPeriod];
  const ahead = moments.filter((moment) => moment > askedAt);
  return ahead.length === 0 ? undefined : Math.min(...ahead);
}
