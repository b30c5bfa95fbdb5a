import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Order } from "../orders/order.js";
import { keyOf } from "../orders/transition-order.js";
import type { Ports } from "../ports.js";
import type { Refund } from "./refund.js";

/** Reads the refund from storage again. */
export function reloadRefund(
  ports: Pick<Ports, "refunds">,
  order: Order,
  refund: Refund,
): ResultAsync<Refund, StorageFailure> {
  return ports.refunds
    .list(keyOf(order))
    .map((refunds) => refunds.find(({ refundNo }) => refundNo === refund.refundNo) ?? refund);
}
