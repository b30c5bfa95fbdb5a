import type { ResultAsync } from "neverthrow";
import * as z from "zod";
import type { StorageFailure } from "../errors/failure.js";
import { listOrders, listOrdersInput } from "../orders/list-orders.js";
import { storedBizNo } from "../orders/biz-no.js";
import type { Order } from "../orders/order.js";
import type { Ports } from "../ports.js";
import { issue, singleLineText, perPolicy } from "../shared/input.js";
import type { Page } from "../shared/page.js";
import { attempt } from "../shared/attempt.js";

/**
 * The criteria of {@link findOrders}.
 *
 * - `by: "id"`: the order's id, which is the `out_trade_no` at the wallet.
 * - `by: "bizNo"`: an app and its `bizNo`.
 * - `by: "customer"`: an app and a customer, with the filter and the page of GET /history.json.
 */
export const findOrdersInput = perPolicy((policy) =>
  z
    .discriminatedUnion(
      "by",
      [
        z.object({ by: z.literal("id"), id: singleLineText(32) }),
        z.object({ by: z.literal("bizNo"), appId: singleLineText(64), bizNo: storedBizNo() }),
        listOrdersInput(policy).extend({ by: z.literal("customer"), appId: singleLineText(64) }),
      ],
      issue("shape"),
    )
    .brand<"FindOrdersInput">(),
);
/** Valid criteria, the output of `parseInput(findOrdersInput(policy), …)`. */
export type FindOrdersInput = z.output<ReturnType<typeof findOrdersInput>>;

/**
 * Finds orders for an operator: a page of matches, newest first, and their total number.
 *
 * Returns an empty page if no order matches. Does not call the wallets.
 *
 * @returns the page.
 * @example
 * ```ts
 * import { parseInput } from "@tillkit/core";
 * import { findOrders, findOrdersInput } from "@tillkit/core/operators";
 *
 * const criteria = { by: "bizNo", appId: "app_1", bizNo: "biz-1" };
 * const page = await parseInput(findOrdersInput(ports.policy), criteria).asyncAndThen((input) =>
 *   findOrders(ports, input),
 * );
 * ```
 */
export function findOrders(
  ports: Pick<Ports, "orders">,
  criteria: FindOrdersInput,
): ResultAsync<Page<Order>, StorageFailure> {
  return attempt(async () => {
    switch (criteria.by) {
      case "id":
        return ports.orders.findById(criteria.id).map(pageOf);
      case "bizNo":
        return ports.orders.find(criteria).map(pageOf);
      case "customer":
        return listOrders(ports, criteria.appId, criteria);
    }
  });
}

function pageOf(order: Order | undefined): Page<Order> {
  const items = order === undefined ? [] : [order];
  return { items, totalCount: items.length };
}
