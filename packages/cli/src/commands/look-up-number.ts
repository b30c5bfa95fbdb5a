import { type Ports, pastedNumber } from "@tillkit/core";
import { errAsync, type ResultAsync } from "neverthrow";
import type { CommandResult } from "../answer.js";
import { type CliFailure, coreFailure, usage } from "../failure.js";
import { ordersAnswer } from "./list-orders.js";
import { refundsAnswer } from "./list-refunds.js";

const LIMIT = 100;

/**
 * Finds the orders and refunds of all apps that have a number: a `bizNo`, an `id`, a number at the
 * wallet, a `refundNo` or a `customerIdentity`. The number can be pasted from a bill.
 */
export function lookUpNumber(
  { orderSearch, refunds }: Pick<Ports, "orderSearch" | "refunds">,
  text: string,
): ResultAsync<CommandResult, CliFailure> {
  const number = pastedNumber(text);
  if (number === "") return errAsync(usage("--number is empty. Set a number of the order or of a refund."));
  return orderSearch
    .lookUp(number, undefined, LIMIT + 1)
    .andThen((orders) =>
      refunds.search({ number, limit: LIMIT }).map(({ items, next }) => {
        const hasMore = orders.length > LIMIT || next !== undefined;
        const ofOrders = ordersAnswer({ rows: orders.slice(0, LIMIT), hasMore: false });
        const ofRefunds = refundsAnswer({ rows: items, hasMore: false });
        return {
          data: { orders: ofOrders.data.orders, refunds: ofRefunds.data.refunds, hasMore },
          text: [
            ...ofOrders.text,
            ...(items.length === 0 ? [] : ["", ...ofRefunds.text]),
            ...(hasMore ? [`There are more than ${LIMIT}. List those of a customer with --customer.`] : []),
          ],
        };
      }),
    )
    .mapErr(coreFailure);
}
