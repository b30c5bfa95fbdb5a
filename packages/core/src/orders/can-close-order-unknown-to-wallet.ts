import type { Policy } from "../policy.js";
import { isUntrustedAbsence } from "../wallets/call-wallet.js";
import type { WalletFailure } from "../wallets/wallet.js";
import { isPastExpiryMargin } from "./is-past-expiry-margin.js";
import type { Order } from "./order.js";

/**
 * Returns whether an unsigned answer that the wallet does not know an order closes the order.
 *
 * A signed answer, such as Alipay's `ACQ.TRADE_NOT_EXIST`, closes an expired order as soon as
 * {@link isPastExpiryMargin} returns true. An unsigned answer closes the order only
 * `policy.unsignedRefusalDelay` later. Without this rule, an order would stay PENDING forever at a
 * wallet that does not sign refusals.
 */
export function canCloseOrderUnknownToWallet(
  policy: Policy,
  order: Order,
  failure: WalletFailure,
  calledAt: number,
): boolean {
  return (
    isUntrustedAbsence(failure) && isPastExpiryMargin(policy, order, calledAt, policy.unsignedRefusalDelay)
  );
}
