import { isoTime, type Ports, type RefundFilter, type RefundPosition, yuanText } from "@tillkit/core";
import { csvLine, readable } from "../csv.js";
import { listCsv } from "../list-csv.js";
import { type ListedRefund, withChannels } from "./with-channels.js";

const HEADER = [
  "created",
  "appId",
  "bizNo",
  "refundNo",
  "payChannel",
  "amount (yuan)",
  "status",
  "operator",
  "reason",
  "walletRefundNo",
  "last change",
];

/** Writes the selected refunds as CSV, newest first. */
export function refundsCsv(
  ports: Pick<Ports, "refunds" | "orders" | "policy">,
  filter: RefundFilter,
): AsyncIterable<string> {
  const { timeZone, payChannelNames } = ports.policy;
  const lineOf = (refund: ListedRefund) =>
    csvLine([
      isoTime(timeZone, refund.gmtCreate),
      refund.appId,
      refund.bizNo,
      refund.refundNo,
      refund.payChannel === undefined ? "" : payChannelNames[refund.payChannel],
      readable(yuanText(refund.amount)),
      refund.status,
      refund.operator,
      refund.reason,
      refund.walletRefundNo,
      isoTime(timeZone, refund.gmtModified),
    ]);
  return listCsv<ListedRefund, RefundPosition>(
    HEADER,
    (page) =>
      ports.refunds
        .search({ ...filter, ...page })
        .andThen(({ items, ...rest }) =>
          withChannels(ports, items).map((listed) => ({ ...rest, items: listed })),
        ),
    lineOf,
  );
}
