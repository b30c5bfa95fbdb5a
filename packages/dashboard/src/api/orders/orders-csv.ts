import type { FoundOrder, OrderFilter, OrderPosition } from "@tillkit/core";
import { isoTime, yuanText } from "@tillkit/core";
import { csvLine } from "../csv.js";
import type { RouteContext } from "../route.js";

const PAGE = 500;

const HEADER = [
  ...["created", "appId", "bizNo", "id", "goodsTitle", "amount (yuan)", "refunded (yuan)", "payChannel"],
  ...["paymentStatus", "customerIdentity", "paid", "walletTradeNo", "alarm"],
];

/**
 * Writes the selected orders as CSV, newest first.
 *
 * Throws if the storage fails. The connection then breaks, so that an incomplete file cannot look
 * complete.
 */
export async function* ordersCsv(
  { ports }: Pick<RouteContext, "ports">,
  filter: OrderFilter,
  isCancelled: () => boolean,
): AsyncGenerator<string, void, undefined> {
  const { timeZone, payChannelNames } = ports.policy;
  const time = (at: number | undefined) => (at === undefined ? undefined : isoTime(timeZone, at));
  const lineOf = ({ order, hasAlarm }: FoundOrder) =>
    csvLine([
      ...[time(order.gmtCreate), order.appId, order.bizNo, order.id, order.goodsTitle],
      ...[yuanText(order.amount), yuanText(order.refundedAmount), payChannelNames[order.payChannel]],
      ...[order.paymentStatus, order.customerIdentity, time(order.pmtDt), order.walletTradeNo],
      hasAlarm ? "yes" : "no",
    ]);
  // Spreadsheets recognise UTF-8 by the byte order mark.
  yield `\uFEFF${csvLine(HEADER)}`;
  let before: OrderPosition | undefined;
  do {
    const page = await ports.orderSearch.list({ ...filter, before, limit: PAGE });
    if (page.isErr()) throw new Error(`The export ended early: ${page.error.name}.`);
    if (page.value.items.length > 0) yield page.value.items.map(lineOf).join("");
    before = page.value.next;
  } while (before !== undefined && !isCancelled());
}
