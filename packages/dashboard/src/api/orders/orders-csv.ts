import { isoTime, type Policy, type Ports, yuanText } from "@tillkit/core";
import { readable } from "@tillkit/core/operators";
import type { FoundOrder, OrderFilter, OrderPosition } from "@tillkit/core/ports";
import { type CsvColumns, listCsv } from "../list-csv.js";

/** Writes the selected orders as CSV, newest first. */
export function ordersCsv(
  { orderSearch, policy }: Pick<Ports, "orderSearch" | "policy">,
  filter: OrderFilter,
): AsyncIterable<string> {
  return listCsv<FoundOrder, OrderPosition>(columnsOf(policy), (page) =>
    orderSearch.list({ ...filter, ...page }),
  );
}

function columnsOf({ timeZone, payChannelNames }: Policy): CsvColumns<FoundOrder> {
  return {
    created: ({ order }) => isoTime(timeZone, order.gmtCreate),
    appId: ({ order }) => order.appId,
    bizNo: ({ order }) => order.bizNo,
    id: ({ order }) => order.id,
    goodsTitle: ({ order }) => order.goodsTitle,
    "amount (yuan)": ({ order }) => readable(yuanText(order.amount)),
    "refunded (yuan)": ({ order }) => readable(yuanText(order.refundedAmount)),
    payChannel: ({ order }) => payChannelNames[order.payChannel],
    paymentStatus: ({ order }) => order.paymentStatus,
    customerIdentity: ({ order }) => order.customerIdentity,
    paid: ({ order: { pmtDt } }) => (pmtDt === undefined ? undefined : isoTime(timeZone, pmtDt)),
    walletTradeNo: ({ order }) => order.walletTradeNo,
    alarm: ({ hasAlarm }) => (hasAlarm ? "yes" : "no"),
  };
}
