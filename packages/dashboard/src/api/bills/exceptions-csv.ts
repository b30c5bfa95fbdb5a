import {
  type BillException,
  type BillExceptionFilter,
  type BillExceptionPosition,
  isoTime,
  type Ports,
  yuanText,
} from "@tillkit/core";
import { csvLine, readable } from "../csv.js";
import { listCsv } from "../list-csv.js";

const HEADER = [
  "id",
  "found",
  "day",
  "payChannel",
  "accountId",
  "kind",
  "state",
  "outTradeNo",
  "refundNo",
  "walletTradeNo",
  "in the bill (yuan)",
  "in Tillkit (yuan)",
  "status in Tillkit",
  "appId",
  "bizNo",
  "detail",
  "operator",
  "note",
  "last change",
];

/** Writes the selected exceptions as CSV, the last found first. */
export function exceptionsCsv(
  { billExceptions, policy: { timeZone, payChannelNames } }: Pick<Ports, "billExceptions" | "policy">,
  filter: BillExceptionFilter,
): AsyncIterable<string> {
  const yuan = (cents: number | undefined) => (cents === undefined ? undefined : readable(yuanText(cents)));
  const lineOf = (exception: BillException) =>
    csvLine([
      exception.id,
      isoTime(timeZone, exception.gmtCreate),
      readable(exception.day),
      payChannelNames[exception.payChannel],
      exception.accountId,
      exception.kind,
      exception.state,
      exception.outTradeNo,
      exception.refundNo,
      exception.walletTradeNo,
      yuan(exception.amountThere),
      yuan(exception.amountHere),
      exception.statusHere,
      exception.order?.appId,
      exception.order?.bizNo,
      exception.detail,
      exception.operator,
      exception.note,
      isoTime(timeZone, exception.gmtModified),
    ]);
  return listCsv<BillException, BillExceptionPosition>(
    HEADER,
    (page) => billExceptions.list({ ...filter, ...page }),
    lineOf,
  );
}
