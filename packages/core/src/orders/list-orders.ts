import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { customerIdentity, perPolicy, wellFormedText } from "../shared/input.js";
import { type Page, pageInput } from "../shared/page.js";
import { type Order } from "./order.js";
import { PAYMENT_STATUSES } from "./payment-status-moves.js";

/**
 * Query of `GET /history.json`.
 *
 * An unknown `paymentStatus` matches no order. An empty `paymentStatus` matches every order.
 */
export const listOrdersInput = perPolicy((policy) =>
  z.object({
    customerIdentity: customerIdentity(),
    paymentStatus: wellFormedText()
      .transform((text) => (text === "" ? undefined : text))
      .optional(),
    ...pageInput(policy),
  }),
);
/** A valid query: the result of `parseInput(listOrdersInput(policy), …)`. */
export type ListOrdersInput = z.output<ReturnType<typeof listOrdersInput>>;

/**
 * Returns a page of the customer's orders and the total count.
 *
 * The newest order comes first, by `gmtCreate` and then by `id`.
 *
 * Never calls the wallet.
 *
 * @returns the page. It is empty if the customer has no orders.
 * @example
 * ```ts
 * import { listOrders, listOrdersInput, parseInput } from "@tillkit/core";
 *
 * const query = { customerIdentity: "customer-7", pageNum: 1 };
 * const page = await parseInput(listOrdersInput(ports.policy), query).asyncAndThen((input) =>
 *   listOrders(ports, "app_1", input),
 * );
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/order-lists.md |
 *   Lists of orders have a bounded cost}
 */
export function listOrders(
  ports: Pick<Ports, "orders">,
  appId: string,
  input: ListOrdersInput,
): ResultAsync<Page<Order>, StorageFailure> {
  return attempt(async () => {
    const { customerIdentity, pageNum, pageSize } = input;
    const paymentStatus = PAYMENT_STATUSES.find((status) => status === input.paymentStatus);
    if (input.paymentStatus !== undefined && paymentStatus === undefined)
      return ok({ items: [], totalCount: 0 });
    return ports.orders.list({
      appId,
      customerIdentity,
      ...(paymentStatus === undefined ? {} : { paymentStatus }),
      offset: (pageNum - 1) * pageSize,
      limit: pageSize,
    });
  });
}
