import type { WalletAccount, WalletFailure, WalletOrder } from "@tillkit/core";
import { ok, type ResultAsync } from "neverthrow";
import { classifyAnswer, unknown } from "../gateway/classify-answer.js";
import type { Conversation } from "../gateway/call-api.js";
import { readTrade } from "./read-trade.js";

/**
 * What the wallet knows of an order. It has none before its customer opens the payment: then, as for a number it never saw, there is
 * `undefined`. Answers name neither app nor seller, for they are about the app that asks and the seller it is signed for.
 */
export function queryOrder(
  ask: Conversation,
  { walletAppId, accountId }: Pick<WalletAccount, "walletAppId" | "accountId">,
  outTradeNo: string,
): ResultAsync<WalletOrder | undefined, WalletFailure> {
  return ask({ method: "alipay.trade.query", outTradeNo }).andThen((answer) => {
    if (answer.sub_code === "ACQ.TRADE_NOT_EXIST") return ok(undefined);
    return classifyAnswer(answer).andThen((facts) => {
      const order = readTrade({ app_id: walletAppId, seller_id: accountId, ...facts });
      return order === undefined
        ? unknown("server-error", "the trade is stated in a form that is not known")
        : ok(order);
    });
  });
}
