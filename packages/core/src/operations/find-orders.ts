import type { ResultAsync } from "neverthrow";
import * as z from "zod";
import type { StorageFailure } from "../errors/failure.js";
import { listOrders, listOrdersInput } from "../orders/list-orders.js";
import { bizNo, type Order } from "../orders/order.js";
import type { Ports } from "../ports.js";
import { complain, line, perPolicy } from "../shared/input.js";
import type { Page } from "../shared/page.js";
import { attempt } from "../shared/attempt.js";

/**
 * What an operator knows of the orders they look for: `by` the service's `id`, which is the wallets' `out_trade_no`, by an app's `bizNo`, or by a customer of an
 * app, with the filter and the page of GET /history.json.
 */
export const findOrdersInput = perPolicy((policy) =>
  z
    .discriminatedUnion(
      "by",
      [
        z.object({ by: z.literal("id"), id: line(32) }),
        z.object({ by: z.literal("bizNo"), appId: line(64), bizNo: bizNo(policy.maxBizNoLength) }),
        listOrdersInput(policy).extend({ by: z.literal("customer"), appId: line(64) }),
      ],
      complain("shape"),
    )
    .brand<"FindOrdersInput">(),
);
/** Valid criteria: what `parseInput(findOrdersInput(policy), …)` returns. */
export type FindOrdersInput = z.output<ReturnType<typeof findOrdersInput>>;

/** The orders that fit, newest first, and how many there are in all, for an operator. None is an empty page. It asks no wallet. */
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
