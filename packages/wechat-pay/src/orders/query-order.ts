import type { Wallet, WalletAccount, WalletFailure } from "@tillkit/core";
import type { WalletOrder } from "@tillkit/core/ports";
import { err, ok, type Result } from "neverthrow";
import type { CallGateway } from "../gateway/call-gateway.js";
import type { GatewayRequest } from "../gateway/send-signed.js";
import { unreadableResponse } from "../gateway/unreadable-response.js";
import { readTransaction } from "./read-transaction.js";
import { merchantMembers, ordersPath } from "../credentials/signing-account.js";

/** Returns whether WeChat Pay signed that a number does not exist. */
export function isAbsent(failure: WalletFailure): boolean {
  return failure.name === "wallet.rejected" && failure.reason === "absent" && failure.trusted;
}

/** Creates the function that queries the state of an order at WeChat Pay. */
export function queryOrder(call: CallGateway): Wallet["query"] {
  return (account, outTradeNo, limits) =>
    call(account, queryRequest(account, outTradeNo), limits)
      .andThen((answer): Result<WalletOrder | undefined, WalletFailure> => {
        const order = readTransaction(answer);
        return order === undefined ? err(unreadableResponse("transaction")) : ok(order);
      })
      .orElse((failure) => (isAbsent(failure) ? ok(undefined) : err(failure)));
}

function queryRequest(account: WalletAccount, outTradeNo: string): GatewayRequest {
  const query = new URLSearchParams(merchantMembers(account)).toString();
  const path = `${ordersPath(account)}/out-trade-no/${encodeURIComponent(outTradeNo)}?${query}`;
  return { method: "GET", path, body: "" };
}
