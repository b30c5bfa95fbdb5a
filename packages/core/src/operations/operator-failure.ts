import type { FailureOf, StorageFailureName } from "../errors/failure.js";
import type { Order } from "../orders/order.js";
import type { RefreshFailure } from "../orders/close-unpaid-order.js";
import { walletFailure } from "../wallets/call-wallet.js";

/** Why an operator's command about one order fails. */
export type OperatorFailure =
  | ReturnType<typeof walletFailure>
  | FailureOf<"order.not-found" | "pay-tool.not-configured" | StorageFailureName>;

/** Converts a failure of the order's wallet to its failure in the error catalog. */
export function operatorFailure({ payChannel }: Order, failure: RefreshFailure) {
  return failure.name === "wallet.rejected" || failure.name === "wallet.unknown"
    ? walletFailure(payChannel, failure)
    : failure;
}
