import { err, ok, type ResultAsync } from "neverthrow";
import { isStorageFailure, type StorageFailure } from "../errors/failure.js";
import { notifiedOrder } from "../orders/apply-payment-notification.js";
import { eventWith } from "../orders/event-details.js";
import { keyOf, type Order } from "../orders/order.js";
import { recordAlarm } from "../orders/order-alarm.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import { attempt } from "../shared/attempt.js";
import type { NotificationAddress } from "../wallets/notification-address.js";
import { type NotificationNotAccepted, notAccepted } from "../wallets/notification-not-accepted.js";
import type { WalletRefund } from "../wallets/wallet.js";
import { adoptFoundRefund, type AdoptPorts } from "./adopt-refund.js";
import { applyWalletRefund } from "./apply-wallet-refund.js";
import { refundWithNumber } from "./refund.js";

/**
 * Applies a verified refund notification to the refund of its order. Safe to repeat.
 *
 * A refund that is not stored yet is adopted.
 */
export function applyRefundNotification(
  ports: AdoptPorts,
  address: NotificationAddress,
  account: WalletAccount,
  statement: WalletRefund,
): ResultAsync<void, NotificationNotAccepted | StorageFailure> {
  return attempt(async () => {
    const order = await notifiedOrder(ports, address, account, statement.outTradeNo);
    if (order.isErr()) return order;
    const refunds = await ports.refunds.list(keyOf(order.value));
    if (refunds.isErr()) return refunds;
    if (refundWithNumber(order.value, refunds.value, statement.refundNo) === undefined)
      return adoptNotifiedRefund(ports, order.value, statement.refundNo, statement.evidence);
    const outcome = await applyWalletRefund(ports, order.value, account, statement);
    if (outcome.isErr()) return outcome;
    return outcome.value.fits ? ok(undefined) : notAccepted("mismatch");
  });
}

/**
 * The timeout of the query that Tillkit makes before it answers a notification, in milliseconds.
 *
 * WeChat Pay waits 5 s for the answer.
 */
const QUERY_DEADLINE = 2_000;

/**
 * Adopts the refund that a verified notification names.
 *
 * If the wallet does not answer the query, the notification is not accepted, so that the wallet
 * repeats it. If the wallet has no such refund, an alarm is raised.
 */
export function adoptNotifiedRefund(
  ports: AdoptPorts,
  order: Order,
  walletRefundNo: string,
  evidence: string,
): ResultAsync<void, NotificationNotAccepted | StorageFailure> {
  return attempt(async () => {
    const deadline = Math.min(QUERY_DEADLINE, ports.policy.walletDeadline);
    const adoption = await adoptFoundRefund(ports, order, walletRefundNo, {
      source: "notification",
      deadline,
    });
    if (adoption.isErr()) {
      const { error } = adoption;
      return isStorageFailure(error) ? err(error) : notAccepted("unconfirmed");
    }
    const { value } = adoption;
    if (value.kind !== "refused") return ok(undefined);
    if (value.because === "not-confirmed") return notAccepted("unconfirmed");
    if (value.because === "absent") {
      const unknown = eventWith("UNKNOWN_REFUND", { number: walletRefundNo });
      const recorded = await recordAlarm(ports, order, { ...unknown, evidence });
      if (recorded.isErr()) return recorded;
    }
    return notAccepted("mismatch");
  });
}
