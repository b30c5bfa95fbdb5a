import type { Wallet } from "@tillkit/core";
import { EMPTY_FLOW } from "@tillkit/core/ports";
import { streamFlowLines } from "@tillkit/wallet-kit";
import { ResultAsync } from "neverthrow";
import type { GatewayDependencies } from "../gateway/call-gateway.js";
import { billLines, downloadBill } from "./download-bill.js";
import { createFlowAccumulator, flowInconsistency } from "./flow-accumulator.js";
import { flowParser } from "./flow-parser.js";

/**
 * Reads the fund-flow bill of the seller's account. See `readBill`.
 *
 * The summary file of a fund-flow bill is optional.
 */
export function readFundFlow(gateway: GatewayDependencies, maxBytes: number): Wallet["readFundFlow"] {
  return (account, day, take, limits) => {
    const accumulator = createFlowAccumulator();
    const of = { sellerId: account.accountId, day };
    const table = {
      parser: () => flowParser(of, accumulator),
      problem: () => flowInconsistency(accumulator),
    };
    const request = { type: "signcustomer", day, maxBytes };
    const read = downloadBill(gateway, account, request, limits, EMPTY_FLOW, async (archive, limits) =>
      streamFlowLines(billLines(archive, table, limits), take),
    );
    return new ResultAsync(read);
  };
}
