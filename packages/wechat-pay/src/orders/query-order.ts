import type { Wallet, WalletAccount, WalletOrder } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";
import type { ApiRequest, CallApi } from "../gateway/call-api.js";
import type { ApiFailure } from "../gateway/read-refusal.js";
import { unreadable } from "../unreadable.js";
import { readTransaction } from "./read-transaction.js";

/** Codes under which WeChat Pay knows no order or refund of a number. */
export const ABSENT: ReadonlySet<string> = new Set(["ORDERNOTEXIST", "RESOURCENOTEXISTS"]);

/** Asks WeChat Pay what became of an order. */
export function queryOrder(call: CallApi): Wallet["query"] {
  return (account, outTradeNo, limits) =>
    call(account, queryRequest(account, outTradeNo), limits)
      .andThen((answer): Result<WalletOrder | undefined, ApiFailure> => {
        const order = readTransaction(answer);
        return order === undefined ? err(unreadable("transaction")) : ok(order);
      })
      .orElse((failure) =>
        failure.name === "wallet.rejected" && ABSENT.has(failure.code) ? ok(undefined) : err(failure),
      );
}

function queryRequest({ accountId }: WalletAccount, outTradeNo: string): ApiRequest {
  const path = `/v3/pay/transactions/out-trade-no/${encodeURIComponent(outTradeNo)}?mchid=${encodeURIComponent(accountId)}`;
  return { method: "GET", path, body: "" };
}
