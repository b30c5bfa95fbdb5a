import { err, ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { applyPaymentNotification } from "../orders/apply-payment-notification.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { adoptNotifiedRefund, applyRefundNotification } from "../refunds/apply-refund-notification.js";
import { attempt } from "../shared/attempt.js";
import { emit } from "../shared/emit.js";
import type { NotificationAddress } from "../wallets/notification-address.js";
import type { NotificationNotAccepted } from "../wallets/notification-not-accepted.js";
import { type VerifiedNotification, verifyNotification } from "../wallets/verify-notification.js";
import type { RawNotification, WalletOrder } from "../wallets/wallet.js";
import { reportMisconfigured } from "../shared/report-misconfigured.js";
import type { ApplyWalletOrderPorts } from "../orders/apply-wallet-order.js";

/** The ports that {@link receiveNotification} uses. */
export type ReceiveNotificationPorts = ApplyWalletOrderPorts &
  Pick<Ports, "payTools" | "refunds" | "wallets" | "policy">;

/**
 * Verifies a wallet's notification, matches it to the order and applies it.
 *
 * The change is committed before the caller acknowledges the notification. Notifications may be
 * repeated, late, out of order or forged. Tillkit changes an order only by what the wallet signed
 * about that order.
 *
 * @returns nothing. Acknowledge the notification to the wallet only after a success.
 * @example
 * ```ts
 * import {
 *   type NotificationAddress,
 *   type RawNotification,
 *   receiveNotification,
 * } from "@tillkit/core";
 *
 * export const receive = async (address: NotificationAddress, notification: RawNotification) => {
 *   const received = await receiveNotification(ports, address, notification);
 *   return ports.wallets[address.payChannel].answer(received.isOk());
 * };
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/order-status.md |
 *   The wallet decides whether an order is paid or closed}
 */
export function receiveNotification(
  ports: ReceiveNotificationPorts,
  address: NotificationAddress,
  notification: RawNotification,
): ResultAsync<void, NotificationNotAccepted | StorageFailure> {
  return authenticateNotification(ports, address, notification).andThen((verified) =>
    applyNotification(ports, address, verified),
  );
}

/**
 * Verifies a notification without changing anything: the first half of {@link receiveNotification}.
 */
export function authenticateNotification(
  ports: ReceiveNotificationPorts,
  address: NotificationAddress,
  notification: RawNotification,
): ResultAsync<VerifiedNotification, NotificationNotAccepted | StorageFailure> {
  return reportRefusal(ports, address, verifyNotification(ports, address, notification));
}

/** Applies a verified notification: the second half of {@link receiveNotification}. */
export function applyNotification(
  ports: ReceiveNotificationPorts,
  address: NotificationAddress,
  { account, event }: VerifiedNotification,
): ResultAsync<void, NotificationNotAccepted | StorageFailure> {
  const { kind } = event;
  const outcome =
    kind === "payment"
      ? applyPayment(ports, address, account, event.order)
      : applyRefundNotification(ports, address, account, event.refund);
  return attempt(async () => {
    const result = await reportRefusal(ports, address, outcome);
    if (result.isOk()) emit(ports, { type: "notification.accepted", payChannel: address.payChannel, kind });
    return result;
  });
}

/** Applies a statement about an order, and adopts the refund that it names. */
function applyPayment(
  ports: ReceiveNotificationPorts,
  address: NotificationAddress,
  account: WalletAccount,
  statement: WalletOrder,
): ResultAsync<void, NotificationNotAccepted | StorageFailure> {
  return attempt(async () => {
    const order = await applyPaymentNotification(ports, address, account, statement);
    if (order.isErr()) return err(order.error);
    const { refundNo, evidence } = statement;
    return refundNo === undefined
      ? ok(undefined)
      : adoptNotifiedRefund(ports, order.value, refundNo, evidence);
  });
}

/** Emits an event with the reason if the notification was not accepted. */
function reportRefusal<T>(
  ports: ReceiveNotificationPorts,
  { payChannel }: NotificationAddress,
  outcome: ResultAsync<T, NotificationNotAccepted | StorageFailure>,
): ResultAsync<T, NotificationNotAccepted | StorageFailure> {
  // `mapErr` would take several times as long for each notification.
  return attempt(async () => {
    const result = await outcome;
    if (result.isOk()) return result;
    const { error } = result;
    if (error.name === "notification.refused") {
      emit(ports, { type: "notification.refused", payChannel, reason: error.reason });
      return result;
    }
    reportMisconfigured(ports, error);
    const { name: failure, cause } = error;
    emit(ports, { type: "notification.failed", payChannel, failure, ...(cause !== undefined && { cause }) });
    return result;
  });
}
