import type { WalletAccount, WalletFailure } from "@tillkit/core";
import type { WalletOrder } from "@tillkit/core/ports";
import { ok, type ResultAsync } from "neverthrow";
import { classifyResult, unknownOutcome } from "../gateway/classify-result.js";
import type { CallGateway } from "../gateway/call-gateway.js";
import { isUnknownTrade } from "./is-unknown-trade.js";
import { readTrade } from "./read-trade.js";

/**
 * Queries the state of an order at Alipay.
 *
 * Most responses contain neither app nor seller. The order then gets those of the account.
 * @returns `undefined` if Alipay does not know the order. An order is also unknown until the
 *   customer opens the payment.
 */
export function queryOrder(
  call: CallGateway,
  account: WalletAccount,
  outTradeNo: string,
): ResultAsync<WalletOrder | undefined, WalletFailure> {
  return call({ method: "alipay.trade.query", outTradeNo }).andThen((answer) => {
    if (isUnknownTrade(answer)) return ok(undefined);
    return classifyResult(answer).andThen((facts) => {
      const order = readTrade({ ...ownerFacts(account), ...facts }, account);
      return order === undefined
        ? unknownOutcome("server-error", "the trade does not have the documented format")
        : ok(order);
    });
  });
}

function ownerFacts({ walletAppId, accountId: seller_id, provider }: WalletAccount) {
  return provider === undefined
    ? { app_id: walletAppId, seller_id }
    : { app_id: provider.walletAppId, auth_app_id: walletAppId, seller_id };
}
