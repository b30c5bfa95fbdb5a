import type { Wallet, WalletFailure } from "@tillkit/core";
import type { BillTotals } from "@tillkit/core/ports";
import { parseLines, streamBillLines } from "@tillkit/wallet-kit";
import { err, ResultAsync } from "neverthrow";
import { subMerchant } from "../credentials/signing-account.js";
import { oneFile } from "./bill-files.js";
import { type BillAccumulator, billParser, createBillAccumulator } from "./bill-parser.js";
import { downloadBill, type ReadBillOptions } from "./download-bill.js";

/**
 * Reads the trade bill of a day and passes its lines to `take`.
 *
 * The bill is valid if the digest of its text matches and the totals agree.
 */
export function readBill(options: ReadBillOptions): Wallet["readBill"] {
  return (account, day, take, limits) => {
    const accumulator = createBillAccumulator();
    const of = { merchantId: account.accountId, providerId: account.provider?.accountId, day };
    const query = { bill_type: "ALL", ...subMerchant(account) };
    const request = { path: "/v3/bill/tradebill", query, day, filesOf: oneFile, absent: err(NO_BILL) };
    const read = downloadBill(options, account, request, limits, async (texts) =>
      (await streamBillLines(parseLines(texts, billParser(of, accumulator)), take)).map((totals) =>
        completed(totals, accumulator),
      ),
    );
    return new ResultAsync(read);
  };
}

/** Adds the fees of the bill and the amounts of its unreadable lines to the totals. */
function completed(totals: BillTotals, { stated: { fees, left } }: BillAccumulator): BillTotals {
  const { unreadable } = totals;
  return {
    ...totals,
    ...(fees === undefined ? {} : { fees }),
    ...(unreadable === undefined || left === undefined
      ? {}
      : { unreadable: { ...unreadable, paymentAmount: left.order, refundAmount: left.refund } }),
  };
}

/** The failure if WeChat Pay has no bill. The day may have had payments nevertheless. */
const NO_BILL: WalletFailure = {
  name: "wallet.rejected",
  reason: "no-bill",
  trusted: true,
  detail: "WeChat Pay has no bill of the day",
};
