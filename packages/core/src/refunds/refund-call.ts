import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Order } from "../orders/order.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { aboutOrder, callWallet } from "../wallets/call-wallet.js";
import type { WalletFailure, WalletRefund, WalletRefundRequest } from "../wallets/wallet.js";
import { applyWalletRefund } from "./apply-wallet-refund.js";
import { outRefundNo, type Refund } from "./refund.js";
import { scheduleRefund } from "./refund-schedule.js";

/** Ports of the functions that call the wallet about a refund. */
export type RefundPorts = Pick<
  Ports,
  "orders" | "refunds" | "payTools" | "wallets" | "clock" | "observer" | "policy"
>;

/** Ports of the functions that make, send or settle a refund. */
export type SendRefundPorts = RefundPorts & Pick<Ports, "billExceptions">;

/** A refund after a call to its wallet. */
export interface ProcessedRefund {
  readonly refund: Refund;
  /**
   * Whether the outcome is known.
   *
   * True if the wallet has a matching record of the refund, or if the refund is WAITING_FOR_FUNDS
   * or has ended.
   */
  readonly definite: boolean;
}

/** The arguments of a wallet call about one refund. */
export interface RefundCall {
  readonly ports: RefundPorts;
  readonly order: Order;
  readonly account: WalletAccount;
  readonly refundNo: string;
  readonly request: WalletRefundRequest;
}

/** Returns the request for this refund, or for a query about it. */
export function walletRefundRequest(
  order: Order,
  refund: Pick<Refund, "refundNo" | "amount" | "reason">,
): WalletRefundRequest {
  return {
    outTradeNo: order.id,
    refundNo: outRefundNo(order, refund),
    amount: refund.amount,
    orderAmount: order.amount,
    reason: refund.reason,
    notifyUrl: order.notifyUrl,
  };
}

/** Queries the wallet about the refund. */
export function queryWalletRefund({
  ports,
  order,
  account,
  refundNo,
  request,
}: RefundCall): ResultAsync<WalletRefund | undefined, WalletFailure> {
  return callWallet(ports, aboutOrder(order, refundNo), "queryRefund", (wallet) =>
    wallet.queryRefund(account, request, { deadline: ports.policy.walletDeadline }),
  );
}

/**
 * Applies the wallet's statement about a refund. If the refund is open, schedules the next query.
 */
export function applyStatement(
  { ports, order, account }: RefundCall,
  before: Refund,
  statement: WalletRefund,
): ResultAsync<ProcessedRefund, StorageFailure> {
  return attempt(async () => {
    const outcome = await applyWalletRefund(ports, order, account, statement, before);
    if (outcome.isErr()) return outcome;
    const { refund = before, fits } = outcome.value;
    // The stored number marks the refund as accepted by the wallet.
    const number =
      fits && statement.walletRefundNo !== undefined ? { walletRefundNo: statement.walletRefundNo } : {};
    const scheduled = await scheduleRefund(ports, order, refund, number);
    if (scheduled.isErr()) return scheduled;
    return ok({ refund, definite: fits });
  });
}
