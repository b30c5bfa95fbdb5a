import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Order } from "../orders/order.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { type Refund, refundWithNumber } from "./refund.js";

const PAGE = 100;

/**
 * Returns the cents of the order's refunds that a bill lists and the record does not have yet.
 *
 * A wallet refunds no more than it received for an order. It does not know what the merchant paid
 * by other means, so beside a settlement the record must know every refund of a console.
 *
 * @param refunds - The refunds of the order. One that is open or counted is not added again.
 */
export function unrecordedRefunds(
  { billExceptions }: Pick<Ports, "billExceptions">,
  order: Order,
  refunds: readonly Refund[],
): ResultAsync<number, StorageFailure> {
  const known = refunds.filter(({ status }) => status !== "FAILED" && status !== "WITHDRAWN");
  const open = { state: "OPEN", kind: "REFUND_NOT_HERE", outTradeNo: order.id, limit: PAGE } as const;
  return attempt(async () => {
    let cents = 0;
    let page = await billExceptions.list(open);
    for (;;) {
      if (page.isErr()) return page;
      for (const { refundNo = "", amountThere = 0 } of page.value.items)
        if (refundWithNumber(order, known, refundNo) === undefined) cents += amountThere;
      const { next } = page.value;
      if (next === undefined) return ok(cents);
      page = await billExceptions.list({ ...open, before: next });
    }
  });
}
