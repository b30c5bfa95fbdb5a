import type { WalletAccount, WalletFailure } from "@tillkit/core";
import type { WalletOrder } from "@tillkit/core/ports";
import { err, errAsync, ok, okAsync, type Result, type ResultAsync } from "neverthrow";
import { classifyResult } from "../gateway/classify-result.js";
import type { CallGateway } from "../gateway/call-gateway.js";
import { isUnknownTrade } from "./is-unknown-trade.js";
import { queryOrder } from "./query-order.js";

/**
 * Closes a trade, so that it can no longer be paid.
 *
 * Alipay returns the same code for paid trades and for closed trades. So the function queries the
 * trade after a refusal.
 *
 * @param call - fails if a response is about another merchant.
 */
export function closeOrder(
  call: CallGateway,
  account: WalletAccount,
  outTradeNo: string,
): ResultAsync<"closed" | "absent" | "paid", WalletFailure> {
  return call({ method: "alipay.trade.close", outTradeNo }).andThen((answer) => {
    if (isUnknownTrade(answer)) return okAsync("absent" as const);
    return classifyResult(answer).match(
      () => okAsync("closed" as const),
      (failure) => settledByTrade(call, account, outTradeNo, failure),
    );
  });
}

function settledByTrade(
  call: CallGateway,
  account: WalletAccount,
  outTradeNo: string,
  failure: WalletFailure,
): ResultAsync<"closed" | "absent" | "paid", WalletFailure> {
  if (failure.name === "wallet.unknown" || failure.reason === "configuration") return errAsync(failure);
  return queryOrder(call, account, outTradeNo).andThen((trade) => ended(trade, failure));
}

function ended(
  trade: WalletOrder | undefined,
  failure: WalletFailure,
): Result<"closed" | "absent" | "paid", WalletFailure> {
  switch (trade?.state) {
    case undefined:
      return ok("absent");
    case "PAID":
    case "REFUNDED":
      return ok("paid");
    case "CLOSED":
      return ok("closed");
    case "OPEN":
      return err(failure);
  }
}
