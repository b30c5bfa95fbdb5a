import {
  isoTime,
  type Ports,
  type Refund,
  type RefundFilter,
  type RefundPosition,
  yuanText,
} from "@tillkit/core";
import { csvLine, readable } from "../csv.js";
import { listCsv } from "../list-csv.js";

const HEADER = [
  "created",
  "appId",
  "bizNo",
  "refundNo",
  "amount (yuan)",
  "status",
  "operator",
  "reason",
  "walletRefundNo",
  "last change",
];

/** Writes the selected refunds as CSV, newest first. */
export function refundsCsv(
  { refunds, policy: { timeZone } }: Pick<Ports, "refunds" | "policy">,
  filter: RefundFilter,
): AsyncIterable<string> {
  const lineOf = (refund: Refund) =>
    csvLine([
      isoTime(timeZone, refund.gmtCreate),
      refund.appId,
      refund.bizNo,
      refund.refundNo,
      readable(yuanText(refund.amount)),
      refund.status,
      refund.operator,
      refund.reason,
      refund.walletRefundNo,
      isoTime(timeZone, refund.gmtModified),
    ]);
  return listCsv<Refund, RefundPosition>(HEADER, (page) => refunds.search({ ...filter, ...page }), lineOf);
}
