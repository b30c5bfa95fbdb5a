import { isoTime, type Policy, type Ports, yuanText } from "@tillkit/core";
import { readable } from "@tillkit/core/operators";
import type { RefundFilter, RefundPosition } from "@tillkit/core/ports";
import { type CsvColumns, listCsv } from "../list-csv.js";
import { type ListedRefund, withChannels } from "./with-channels.js";

/** Writes the selected refunds as CSV, newest first. */
export function refundsCsv(
  ports: Pick<Ports, "refunds" | "orders" | "policy">,
  filter: RefundFilter,
): AsyncIterable<string> {
  return listCsv<ListedRefund, RefundPosition>(columnsOf(ports.policy), (page) =>
    ports.refunds
      .search({ ...filter, ...page })
      .andThen(({ items, ...rest }) =>
        withChannels(ports, items).map((listed) => ({ ...rest, items: listed })),
      ),
  );
}

function columnsOf({ timeZone, payChannelNames }: Policy): CsvColumns<ListedRefund> {
  return {
    created: ({ gmtCreate }) => isoTime(timeZone, gmtCreate),
    appId: ({ appId }) => appId,
    bizNo: ({ bizNo }) => bizNo,
    refundNo: ({ refundNo }) => refundNo,
    payChannel: ({ payChannel }) => (payChannel === undefined ? undefined : payChannelNames[payChannel]),
    "amount (yuan)": ({ amount }) => readable(yuanText(amount)),
    status: ({ status }) => status,
    operator: ({ operator }) => operator,
    reason: ({ reason }) => reason,
    walletRefundNo: ({ walletRefundNo }) => walletRefundNo,
    "last change": ({ gmtModified }) => isoTime(timeZone, gmtModified),
  };
}
