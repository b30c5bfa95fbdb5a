import type { WalletAccount } from "../pay-tools/pay-tool.js";
import { isSameMerchant } from "../wallets/is-same-merchant.js";
import type { WalletOrder } from "../wallets/wallet.js";
import type { StatementDifference } from "./event-details.js";
import type { Order } from "./order.js";

/**
 * Returns the facts in which a wallet's statement differs from the order and its merchant.
 *
 * Order number, app, merchant, service provider, amount and currency must match.
 */
export function statementDifferences(
  order: Order,
  account: WalletAccount,
  statement: WalletOrder,
): readonly StatementDifference[] {
  // A wallet may omit amount and currency while nothing is paid. A payment must state both.
  const silent = statement.state === "OPEN" || statement.state === "CLOSED";
  const amountFits = statement.amount === order.amount || (silent && statement.amount === undefined);
  const currencyFits = statement.currency === "CNY" || (silent && statement.currency === undefined);
  return [
    statement.outTradeNo === order.id ? [] : (["order-number"] as const),
    statement.walletAppId === account.walletAppId ? [] : (["app-id"] as const),
    isSameMerchant(account, statement) ? [] : (["merchant"] as const),
    amountFits ? [] : (["amount"] as const),
    currencyFits ? [] : (["currency"] as const),
  ].flat();
}
