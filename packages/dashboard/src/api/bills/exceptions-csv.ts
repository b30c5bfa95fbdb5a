import { isoTime, type Policy, type Ports, yuanText } from "@tillkit/core";
import { readable } from "@tillkit/core/operators";
import type { BillException, BillExceptionFilter, BillExceptionPosition } from "@tillkit/core/ports";
import { type CsvColumns, listCsv } from "../list-csv.js";

/** Writes the selected exceptions as CSV, newest first. */
export function exceptionsCsv(
  { billExceptions, policy }: Pick<Ports, "billExceptions" | "policy">,
  filter: BillExceptionFilter,
): AsyncIterable<string> {
  return listCsv<BillException, BillExceptionPosition>(columnsOf(policy), (page) =>
    billExceptions.list({ ...filter, ...page }),
  );
}

function columnsOf({ timeZone, payChannelNames }: Policy): CsvColumns<BillException> {
  const yuan = (cents: number | undefined) => (cents === undefined ? undefined : readable(yuanText(cents)));
  return {
    id: ({ id }) => id,
    found: ({ gmtCreate }) => isoTime(timeZone, gmtCreate),
    day: ({ day }) => readable(day),
    payChannel: ({ payChannel }) => payChannelNames[payChannel],
    accountId: ({ accountId }) => accountId,
    kind: ({ kind }) => kind,
    state: ({ state }) => state,
    outTradeNo: ({ outTradeNo }) => outTradeNo,
    refundNo: ({ refundNo }) => refundNo,
    walletTradeNo: ({ walletTradeNo }) => walletTradeNo,
    "in the bill (yuan)": ({ amountThere }) => yuan(amountThere),
    "in Tillkit (yuan)": ({ amountHere }) => yuan(amountHere),
    "status in Tillkit": ({ statusHere }) => statusHere,
    appId: ({ order }) => order?.appId,
    bizNo: ({ order }) => order?.bizNo,
    detail: ({ detail }) => detail,
    operator: ({ operator }) => operator,
    note: ({ note }) => note,
    "last change": ({ gmtModified }) => isoTime(timeZone, gmtModified),
  };
}
