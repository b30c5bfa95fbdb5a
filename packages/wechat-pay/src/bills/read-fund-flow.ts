import type { Wallet } from "@tillkit/core";
import { EMPTY_FLOW } from "@tillkit/core/ports";
import { parseLines, streamFlowLines } from "@tillkit/wallet-kit";
import { ok, ResultAsync } from "neverthrow";
import { subMerchant } from "../credentials/signing-account.js";
import { oneFile, sealedFiles } from "./bill-files.js";
import { downloadBill, type ReadBillOptions } from "./download-bill.js";
import { flowParser } from "./flow-parser.js";

/**
 * Reads the fund-flow bill of the merchant's basic account. See `readBill`.
 *
 * WeChat Pay encrypts the bill of a sub-merchant for its service provider, who needs the permission
 * to download it.
 */
export function readFundFlow(options: ReadBillOptions): Wallet["readFundFlow"] {
  return (account, day, take, limits) => {
    // A missing fund-flow bill hides no payment and no refund: the trade bill lists them.
    const common = { day, absent: ok(EMPTY_FLOW) };
    const query = { account_type: "BASIC" };
    const request =
      account.provider === undefined
        ? { ...common, path: "/v3/bill/fundflowbill", query, filesOf: oneFile }
        : {
            ...common,
            path: "/v3/bill/sub-merchant-fundflowbill",
            query: { ...query, ...subMerchant(account), algorithm: "AEAD_AES_256_GCM" },
            filesOf: sealedFiles,
          };
    const read = downloadBill(options, account, request, limits, async (texts) =>
      streamFlowLines(parseLines(texts, flowParser(day)), take),
    );
    return new ResultAsync(read);
  };
}
