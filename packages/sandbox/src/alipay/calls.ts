import { err, ok } from "neverthrow";
import { business } from "./answers.js";
import type { TradeFinder, WalletBCall, WalletBCallsOptions } from "./call.js";
import { refundCalls } from "./refund-calls.js";
import { tradeCalls } from "./trade-calls.js";

/** Creates the methods of the gateway, by name. */
export function walletBCalls(options: WalletBCallsOptions): ReadonlyMap<string, WalletBCall> {
  const { ledger, app } = options;
  const found: TradeFinder = (name) => {
    const number = name.trade_no === undefined ? name.out_trade_no : ledger.numberOf(name.trade_no);
    const order = ledger.findFor(app.sellerId, number ?? "");
    return order === undefined ? err(business("ACQ.TRADE_NOT_EXIST")) : ok(order);
  };
  return new Map([...tradeCalls(options, found), ...refundCalls(options, found)]);
}
