import {
  type FoundOrder,
  isoTime,
  type OrderFilter,
  type OrderPosition,
  type Policy,
  yuanText,
} from "@tillkit/core";
import type { HttpRequest } from "@tillkit/core/http";
import { operatorName } from "../command-of.js";
import { csvLine } from "../csv.js";
import type { RouteContext } from "../route.js";
import { isStillAllowed, RIGHTS_INTERVAL } from "../still-allowed.js";

const PAGE = 500;

const HEADER = [
  ...["created", "appId", "bizNo", "id", "goodsTitle", "amount (yuan)", "refunded (yuan)", "payChannel"],
  ...["paymentStatus", "customerIdentity", "paid", "walletTradeNo", "alarm"],
];

/**
 * Writes the selected orders as CSV, newest first.
 *
 * Throws if the storage fails, or if the operator loses the session or the right, so that the
 * connection breaks: a shortened file must not look whole.
 */
export async function* ordersCsv(
  context: Pick<RouteContext, "ports" | "access" | "exports" | "identified">,
  filter: OrderFilter,
  request: HttpRequest,
): AsyncGenerator<string, void, undefined> {
  const release = context.exports.open(operatorName(context));
  // Requests at the same time have passed the check of the route together.
  if (release === undefined) throw new Error("The export ended early: exports.limited.");
  try {
    yield* pagesOf(context, filter, request);
  } finally {
    release();
  }
}

async function* pagesOf(
  context: Pick<RouteContext, "ports" | "access">,
  filter: OrderFilter,
  request: HttpRequest,
): AsyncGenerator<string, void, undefined> {
  const { clock, orderSearch, policy } = context.ports;
  let checked = clock.now();
  // The mark tells spreadsheets that the file is UTF-8.
  yield `\uFEFF${csvLine(HEADER)}`;
  let before: OrderPosition | undefined;
  do {
    if (clock.now() - checked >= RIGHTS_INTERVAL) {
      checked = clock.now();
      const isAllowed = await isStillAllowed(context, request, "orders.export", filter.apps);
      if (!isAllowed) throw new Error("The export ended early: permission.denied.");
    }
    const page = await orderSearch.list({ ...filter, before, limit: PAGE });
    if (page.isErr()) throw new Error(`The export ended early: ${page.error.name}.`);
    const { items, next } = page.value;
    if (items.length > 0) yield items.map((found) => lineOf(found, policy)).join("");
    before = next;
  } while (before !== undefined && request.client?.aborted !== true);
}

function lineOf({ order, hasAlarm }: FoundOrder, { timeZone, payChannelNames }: Policy): string {
  const time = (at: number | undefined) => (at === undefined ? undefined : isoTime(timeZone, at));
  return csvLine([
    ...[time(order.gmtCreate), order.appId, order.bizNo, order.id, order.goodsTitle],
    ...[yuanText(order.amount), yuanText(order.refundedAmount), payChannelNames[order.payChannel]],
    ...[order.paymentStatus, order.customerIdentity, time(order.pmtDt), order.walletTradeNo],
    hasAlarm ? "yes" : "no",
  ]);
}
