import { ok, type ResultAsync } from "neverthrow";
import { fail, type FailureOf } from "../errors/failure.js";
import type { Order } from "../orders/order.js";
import type { Ports } from "../ports.js";
import { steps } from "../shared/steps.js";
import type { Refund } from "./refund.js";

/** Finds a refund of an app's order by its number. */
export function findRefund(
  ports: Pick<Ports, "orders" | "refunds">,
  appId: string,
  { bizNo, refundNo }: { readonly bizNo: string; readonly refundNo: string },
): ResultAsync<
  { readonly order: Order; readonly refund: Refund },
  FailureOf<"order.not-found" | "refund.not-found" | "storage.unavailable">
> {
  return steps(async function* () {
    const key = { appId, bizNo };
    const order = yield* ports.orders.find(key);
    if (order === undefined) return fail("order.not-found");
    const refunds = yield* ports.refunds.list(key);
    const refund = refunds.find((made) => made.refundNo === refundNo);
    return refund === undefined ? fail("refund.not-found") : ok({ order, refund });
  });
}
