import type { Ports, Refund } from "@tillkit/core";
import { pastedNumber, searchedTexts } from "@tillkit/core/operators";
import { err, ok, type Result, ResultAsync } from "neverthrow";
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

/** Matches of a number. */
interface Found {
  readonly orders: Rows<ListedOrder>;
  readonly refunds: Rows<Refund>;
}

/** Requires a number in a text that was pasted from a bill. */
export function requireNumber(text: string): Result<string, CliFailure> {
  return pastedNumber(text) === ""
    ? err(usage("--number is empty. Set a number of the order or of a refund."))
    : ok(text);
}

/**
 * Finds the orders and refunds of all apps by a number: a `bizNo`, an `id`, a number at the wallet,
 * a `refundNo` or a `customerIdentity`.
 */
export function lookUpNumber(
  { orderSearch, refunds }: Pick<Ports, "orderSearch" | "refunds">,
  text: string,
): ResultAsync<Found, CliFailure> {
  // The text as pasted, and without the marks of a spreadsheet. Both may find the same row.
  const spellings = searchedTexts(text);
  return ResultAsync.combine([
    ResultAsync.combine(spellings.map((number) => orderSearch.lookUp(number, undefined, LIMIT + 1))),
    ResultAsync.combine(spellings.map((number) => refunds.search({ number, limit: LIMIT + 1 }))),
  ])
    .map(([orders, pages]) => ({
      orders: rowsOf(orders.flat().map(listedOrder), ({ id }) => id),
      refunds: rowsOf(
        pages.flatMap(({ items }) => items),
        ({ appId, bizNo, refundNo }) => JSON.stringify([appId, bizNo, refundNo]),
      ),
    }))
    .mapErr(coreFailure);
}

/** Returns the first rows, without repetitions. */
function rowsOf<T>(items: readonly T[], keyOf: (item: T) => string): Rows<T> {
  const rows = [...new Map(items.map((item) => [keyOf(item), item])).values()];
  return { rows: rows.slice(0, LIMIT), hasMore: rows.length > LIMIT };
}

/** Like {@link lookUpNumber}, for the apps that the operator sees. */
export function lookUpAtServer(server: Server, number: string): ResultAsync<Found, CliFailure> {
  return searchOrders(server, number).andThen((orders) =>
    listRefunds(server, LIMIT, { number }).map((refunds) => ({ orders, refunds })),
  );
}

/** Builds the answer from the matches. */
export function numberAnswer({ orders, refunds }: Found): CommandResult {
  const hasMore = orders.hasMore || refunds.hasMore;
  const ofOrders = ordersAnswer({ ...orders, hasMore: false });
  const ofRefunds = refundsAnswer({ ...refunds, hasMore: false });
  // One hint for both lists. It names the length of the list that was cut.
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
