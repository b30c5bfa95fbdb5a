import {
  type FoundOrder,
  isoTime,
  type OrderFilter,
  type OrderPosition,
  type Policy,
  type Ports,
  yuanText,
} from "@tillkit/core";
import { CSV_START, csvLine, readable } from "../csv.js";

const PAGE = 500;

const HEADER = [
  ...["created", "appId", "bizNo", "id", "goodsTitle", "amount (yuan)", "refunded (yuan)", "payChannel"],
  ...["paymentStatus", "customerIdentity", "paid", "walletTradeNo", "alarm"],
];

/**
 * Writes the selected orders as CSV, newest first.
 *
 * Throws if the storage fails.
 */
export async function* ordersCsv(
  { orderSearch, policy }: Pick<Ports, "orderSearch" | "policy">,
  filter: OrderFilter,
): AsyncGenerator<string, void, undefined> {
  yield `${CSV_START}${csvLine(HEADER)}`;
  let before: OrderPosition | undefined;
  do {
    const page = await orderSearch.list({ ...filter, before, limit: PAGE });
    if (page.isErr()) throw new Error(`The export ended early: ${page.error.name}.`);
    const { items, next } = page.value;
    yield items.map((found) => lineOf(found, policy)).join("");
    before = next;
  } while (before !== undefined);
}

function lineOf({ order, hasAlarm }: FoundOrder, { timeZone, payChannelNames }: Policy): string {
  const time = (at: number | undefined) => (at === undefined ? undefined : isoTime(timeZone, at));
  return csvLine([
    ...[time(order.gmtCreate), order.appId, order.bizNo, order.id, order.goodsTitle],
    readable(yuanText(order.amount)),
    readable(yuanText(order.refundedAmount)),
    payChannelNames[order.payChannel],
    ...[order.paymentStatus, order.customerIdentity, time(order.pmtDt), order.walletTradeNo],
    hasAlarm ? "yes" : "no",
  ]);
}
