import type { Wallet } from "@tillkit/core";
import { type BillTotals, EMPTY_BILL } from "@tillkit/core/ports";
import { streamBillLines } from "@tillkit/wallet-kit";
import { ResultAsync } from "neverthrow";
import type { GatewayDependencies } from "../gateway/call-gateway.js";
import { type BillAccumulator, billInconsistency, createBillAccumulator } from "./bill-accumulator.js";
import { billParser } from "./bill-parser.js";
import { billLines, downloadBill } from "./download-bill.js";

/**
 * Reads the trade bill of a day and passes its lines to `take`.
 *
 * Alipay signs the address of the archive. It signs neither the contents of the archive nor a
 * digest of them. The bill is valid if the archive comes from the gateway or over https from a host
 * of Alipay, if the bill belongs to the seller and the day, and if it agrees with the totals in
 * both of its files. The deadline covers the whole call.
 */
export function readBill(gateway: GatewayDependencies, maxBytes: number): Wallet["readBill"] {
  return (account, day, take, limits) => {
    const accumulator = createBillAccumulator();
    const of = { sellerId: account.accountId, day };
    const table = {
      parser: () => billParser(of, accumulator),
      problem: () => billInconsistency(accumulator),
    };
    const request = { type: "trade", day, maxBytes };
    const read = downloadBill(gateway, account, request, limits, EMPTY_BILL, async (archive, limits) =>
      (await streamBillLines(billLines(archive, table, limits), take)).map((totals) =>
        completed(totals, accumulator),
      ),
    );
    return new ResultAsync(read);
  };
}

/** Adds the fees of the bill and the amounts of its unreadable lines to the totals. */
function completed(totals: BillTotals, { summary, left }: BillAccumulator): BillTotals {
  const { unreadable } = totals;
  return {
    ...totals,
    ...(summary === undefined ? {} : { fees: summary.fees }),
    ...(unreadable === undefined
      ? {}
      : {
          unreadable: {
            ...unreadable,
            paymentAmount: left.payments.received,
            refundAmount: Math.abs(left.refunds.received),
          },
        }),
  };
}
