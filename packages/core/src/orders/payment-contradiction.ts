import type { WalletOrder } from "../wallets/wallet.js";
import { eventWith, type StatementSource } from "./event-details.js";
import type { Order } from "./order.js";

/** Returns the alarm if a statement contradicts the payment on record, or `undefined`. */
export function paymentContradiction(
  { paymentStatus, walletTradeNo: ours }: Order,
  { state, walletTradeNo: theirs, evidence }: WalletOrder,
  source: StatementSource,
) {
  if (paymentStatus !== "PAID" && paymentStatus !== "REFUND") return undefined;
  if (state === "CLOSED" && paymentStatus === "PAID")
    return { ...eventWith("CLOSED_AFTER_PAYMENT", { source }), evidence };
  if (state === "CLOSED" || ours === undefined || theirs === undefined || ours === theirs) return undefined;
  return { ...eventWith("SECOND_PAYMENT", { source, recorded: ours, stated: theirs }), evidence };
}
