import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Order } from "../orders/order.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { callWallet } from "../wallets/call-wallet.js";
import type { WalletFailure, WalletRefund, WalletRefundRequest } from "../wallets/wallet.js";
import { applyWalletRefund } from "./apply-wallet-refund.js";
import type { Refund } from "./refund.js";
import { scheduleRefund } from "./refund-schedule.js";

/** The ports that pursuing a refund touches. */
export type RefundPorts = Pick<
  Ports,
  "orders" | "refunds" | "payTools" | "wallets" | "clock" | "observer" | "policy"
>;

/** A refund after a call to its wallet. */
export interface PursuedRefund {
  readonly refund: Refund;
  /** Whether the wallet is known to have the refund, or to have refused it. */
  readonly definite: boolean;
}

/** What an attempt at one refund works with. */
export interface RefundAttempt {
  readonly ports: RefundPorts;
  readonly order: Order;
  readonly account: WalletAccount;
  readonly request: WalletRefundRequest;
}

/** Asks the wallet what it knows of the refund. */
export function queryWallet({
  ports,
  order,
  account,
  request,
}: RefundAttempt): ResultAsync<WalletRefund | undefined, WalletFailure> {
  return callWallet(ports, order.payChannel, "queryRefund", (wallet) =>
    wallet.queryRefund(account, request, { deadline: ports.policy.walletDeadline }),
  );
}

/**
 * Applies what the wallet said of a refund, and says when it is asked about next if that did not
 * end it.
 */
export function verdictOf(
  { ports, order, account }: RefundAttempt,
  seen: Refund,
  stated: WalletRefund,
): ResultAsync<PursuedRefund, StorageFailure> {
  return attempt(async () => {
    const applied = await applyWalletRefund(ports, order, account, stated, seen);
    if (applied.isErr()) return applied;
    const { refund = seen, fits } = applied.value;
    // The number marks the refund as accepted: an absence proves nothing about it any more.
    const number =
      fits && stated.walletRefundNo !== undefined ? { walletRefundNo: stated.walletRefundNo } : {};
    const scheduled = await scheduleRefund(ports, order, refund, number);
    if (scheduled.isErr()) return scheduled;
    return ok({ refund, definite: fits });
  });
}
