import {
  type FoundOrder,
  isoTime,
  type OrderFilter,
  type OrderPosition,
  type Policy,
  type Ports,
  yuanText,
} from "@tillkit/core";
import { csvLine, readable } from "../csv.js";
import { listCsv } from "../list-csv.js";

const HEADER = [
  "created",
  "appId",
  "bizNo",
  "id",
  "goodsTitle",
  "amount (yuan)",
  "refunded (yuan)",
  "payChannel",
  "paymentStatus",
  "customerIdentity",
  "paid",
  "walletTradeNo",
  "alarm",
];

/** Writes the selected orders as CSV, newest first. */
export function ordersCsv(
  { orderSearch, policy }: Pick<Ports, "orderSearch" | "policy">,
  filter: OrderFilter,
): AsyncIterable<string> {
  return listCsv<FoundOrder, OrderPosition>(
    HEADER,
    (page) => orderSearch.list({ ...filter, ...page }),
    (found) => lineOf(found, policy),
  );
}

function lineOf({ order, hasAlarm }: FoundOrder, { timeZone, payChannelNames }: Policy): string {
  const time = (at: number | undefined) => (at === undefined ? undefined : isoTime(timeZone, at));
  return csvLine([
    time(order.gmtCreate),
    order.appId,
    order.bizNo,
    order.id,
    order.goodsTitle,
    readable(yuanText(order.amount)),
    readable(yuanText(order.refundedAmount)),
    payChannelNames[order.payChannel],
    order.paymentStatus,
    order.customerIdentity,
    time(order.pmtDt),
    order.walletTradeNo,
    hasAlarm ? "yes" : "no",
  ]);
}
