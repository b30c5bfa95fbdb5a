import type { Wallet, WalletAccount, WalletFailure, WalletUnknown } from "@tillkit/core";
import { isSameMerchant, type WalletOrder } from "@tillkit/core/ports";
import { err, ok, type Result, type ResultAsync } from "neverthrow";
import type { CallGateway } from "../gateway/call-gateway.js";
import { isAbsent } from "./query-order.js";
import { merchantMembers, ordersPath } from "../credentials/signing-account.js";

type Closed = "closed" | "absent" | "paid";

/**
 * Creates the function that closes an order, so that it can no longer be paid.
 *
 * If WeChat Pay refuses because the order is already closed, a signed refusal is accepted. After an
 * unsigned refusal the function queries the order.
 */
export function closeOrder(call: CallGateway, query: Wallet["query"]): Wallet["close"] {
  return (account, outTradeNo, limits) => {
    const until = performance.now() + limits.deadline;
    const path = `${ordersPath(account)}/out-trade-no/${encodeURIComponent(outTradeNo)}/close`;
    const body = JSON.stringify(merchantMembers(account));
    return call(account, { method: "POST", path, body }, limits)
      .map((): Closed => "closed")
      .orElse((failure): Result<Closed, WalletFailure> | ResultAsync<Closed, WalletFailure> => {
        if (failure.name === "wallet.unknown") return err(failure);
        if (isAbsent(failure)) return ok("absent");
        // Tillkit does not know the payment yet. The caller queries the order.
        if (failure.reason === "paid") return ok("paid");
        if (failure.reason !== "closed") return err(failure);
        if (failure.trusted) return ok("closed");
        return query(account, outTradeNo, { deadline: until - performance.now() }).andThen((order) =>
          order === undefined || !isAbout(order, account, outTradeNo) ? err(CONTRADICTION) : closedBy(order),
        );
      });
  };
}

/** Returns whether `order` is the order of this merchant with this number. */
function isAbout(order: WalletOrder, account: WalletAccount, outTradeNo: string): boolean {
  return order.outTradeNo === outTradeNo && isSameMerchant(account, order);
}

function closedBy(order: WalletOrder): Result<Closed, WalletFailure> {
  switch (order.state) {
    case "CLOSED":
      return ok("closed");
    case "PAID":
    case "REFUNDED":
      return ok("paid");
    case "OPEN":
      return err(CONTRADICTION);
  }
}

const CONTRADICTION: WalletUnknown = {
  name: "wallet.unknown",
  cause: "unverified",
  detail: "WeChat Pay reports the order as closed, but its signed data does not confirm that",
};
