import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Order } from "../orders/order.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { outRefundNo, type Refund } from "./refund.js";

const PAGE = 100;

/**
 * Returns the cents of the order's refunds that a bill lists and the record does not have yet.
 *
 * A wallet refunds no more than it received for an order. It does not know what the merchant paid
 * by other means, so beside a settlement the record must know every refund of a console.
 *
 * A refund of `refunds` that the wallet may have made for the record is not added again, nor one
 * with the number `about`. If the wallet made one that was settled, the money moved twice.
 */
export function unrecordedRefunds(
  { billExceptions }: Pick<Ports, "billExceptions">,
  order: Order,
  refunds: readonly Refund[],
  about?: Pick<Refund, "refundNo">,
): ResultAsync<number, StorageFailure> {
  const made = refunds.filter(({ status }) => !["FAILED", "WITHDRAWN", "SETTLED"].includes(status));
  const known = new Set(
    [...made, ...(about === undefined ? [] : [about])].map((refund) => outRefundNo(order, refund)),
  );
  const open = { state: "OPEN", kind: "REFUND_NOT_HERE", outTradeNo: order.id, limit: PAGE } as const;
  return attempt(async () => {
    let cents = 0;
    let page = await billExceptions.list(open);
    for (;;) {
      if (page.isErr()) return page;
      for (const { refundNo = "", amountThere = 0 } of page.value.items)
        if (!known.has(refundNo)) cents += amountThere;
      const { next } = page.value;
      if (next === undefined) return ok(cents);
      page = await billExceptions.list({ ...open, before: next });
    }
  });
}
