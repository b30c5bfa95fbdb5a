import { ok, type Result } from "neverthrow";
import { fail, type FailureOf } from "../errors/failure.js";
import type { Order } from "./order.js";
import { refreshOrder, type RefreshPorts } from "./refresh-order.js";

/** Reasons why an order can no longer be paid. */
export type NotPayable = FailureOf<"order.already-paid" | "order.closed" | "order.refunded">;

/**
 * Fails with the reason if the order can no longer be paid.
 *
 * If the order has expired but is still PENDING, the wallet is queried, and its statement decides.
 * If the wallet does not respond, the stored order decides.
 */
export async function requirePayableNow(
  ports: RefreshPorts,
  order: Order,
): Promise<Result<Order, NotPayable>> {
  const { clock, policy } = ports;
  const isOver = order.paymentStatus === "PENDING" && clock.now() >= order.expiresAt;
  const current = isOver ? await refreshOrder(ports, order, policy.walletDeadline).unwrapOr(order) : order;
  return requirePayable(current, clock.now());
}

/** Fails with the reason if the order can no longer be paid at `now`. */
export function requirePayable(order: Order, now: number): Result<Order, NotPayable> {
  return requirePending(order).andThen((open) => (now < open.expiresAt ? ok(open) : fail("order.closed")));
}

/** Fails with the reason if the order is not PENDING. */
export function requirePending(order: Order): Result<Order, NotPayable> {
  switch (order.paymentStatus) {
    case "PAID":
      return fail("order.already-paid");
    case "REFUND":
      return fail("order.refunded");
    case "CLOSE":
      return fail("order.closed");
    case "PENDING":
      return ok(order);
  }
}
