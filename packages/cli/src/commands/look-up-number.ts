import { type Ports, pastedNumber, type Refund } from "@tillkit/core";
import { err, ok, type Result, type ResultAsync } from "neverthrow";
import type { CommandResult } from "../answer.js";
import { type CliFailure, coreFailure, usage } from "../failure.js";
import type { Rows } from "../list-options.js";
import type { ListedOrder } from "../order-answer.js";
import type { Server } from "../server/open-server.js";
import { searchOrders } from "../server/orders.js";
import { listRefunds } from "../server/refunds.js";
import { listedOrder, ordersAnswer } from "./list-orders.js";
import { refundsAnswer } from "./list-refunds.js";

const LIMIT = 100;

/** What has a number. */
interface Found {
  readonly orders: Rows<ListedOrder>;
  readonly refunds: Rows<Refund>;
}

/** Returns the number in a text that was pasted from a bill. */
export function numberIn(text: string): Result<string, CliFailure> {
  const number = pastedNumber(text);
  return number === ""
    ? err(usage("--number is empty. Set a number of the order or of a refund."))
    : ok(number);
}

/**
 * Finds the orders and refunds of all apps that have a number: a `bizNo`, an `id`, a number at the
 * wallet, a `refundNo` or a `customerIdentity`.
 */
export function lookUpNumber(
  { orderSearch, refunds }: Pick<Ports, "orderSearch" | "refunds">,
  number: string,
): ResultAsync<Found, CliFailure> {
  return orderSearch
    .lookUp(number, undefined, LIMIT + 1)
    .andThen((orders) =>
      refunds.search({ number, limit: LIMIT }).map(({ items, next }) => ({
        orders: { rows: orders.slice(0, LIMIT).map(listedOrder), hasMore: orders.length > LIMIT },
        refunds: { rows: items, hasMore: next !== undefined },
      })),
    )
    .mapErr(coreFailure);
}

/** Like {@link lookUpNumber}, of the apps that the operator sees. */
export function lookUpAtServer(server: Server, number: string): ResultAsync<Found, CliFailure> {
  return searchOrders(server, number).andThen((orders) =>
    listRefunds(server, LIMIT, { number }).map((refunds) => ({ orders, refunds })),
  );
}

/** Builds the answer for what has a number. */
export function numberAnswer({ orders, refunds }: Found): CommandResult {
  const hasMore = orders.hasMore || refunds.hasMore;
  const ofOrders = ordersAnswer({ ...orders, hasMore: false });
  const ofRefunds = refundsAnswer({ ...refunds, hasMore: false });
  const count = orders.hasMore ? orders.rows.length : refunds.rows.length;
  return {
    data: { orders: orders.rows, refunds: refunds.rows, hasMore },
    text: [
      ...ofOrders.text,
      ...(refunds.rows.length === 0 ? [] : ["", ...ofRefunds.text]),
      ...(hasMore ? [`There are more than ${String(count)}. List those of a customer with --customer.`] : []),
    ],
  };
}
