import { ok, type ResultAsync } from "neverthrow";
import { fail, type FailureOf, type StorageFailureName } from "../errors/failure.js";
import type { Order } from "../orders/order.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import type { Refund } from "./refund.js";

/** Finds a refund and its order by `bizNo` and `refundNo`. */
export function findRefund(
  ports: Pick<Ports, "orders" | "refunds">,
  appId: string,
  { bizNo, refundNo }: { readonly bizNo: string; readonly refundNo: string },
): ResultAsync<
  { readonly order: Order; readonly refund: Refund },
  FailureOf<"order.not-found" | "refund.not-found" | StorageFailureName>
> {
  return attempt(async () => {
    const key = { appId, bizNo };
    const order = await ports.orders.find(key);
    if (order.isErr()) return order;
    if (order.value === undefined) return fail("order.not-found");
    const refunds = await ports.refunds.list(key);
    if (refunds.isErr()) return refunds;
    const refund = refunds.value.find((one) => one.refundNo === refundNo);
    return refund === undefined ? fail("refund.not-found") : ok({ order: order.value, refund });
  });
}
