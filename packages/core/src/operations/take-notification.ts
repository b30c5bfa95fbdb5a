import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { takePaymentNotification } from "../orders/take-payment-notification.js";
import type { TransitionPorts } from "../orders/transition-order.js";
import type { Ports } from "../ports.js";
import { takeRefundNotification } from "../refunds/take-refund-notification.js";
import { tell } from "../shared/tell.js";
import type { NotificationAddress } from "../wallets/notification-address.js";
import type { NotificationNotTaken } from "../wallets/notification-not-taken.js";
import { type VerifiedNotification, verifyNotification } from "../wallets/verify-notification.js";
import type { RawNotification } from "../wallets/wallet.js";

/** The ports that taking a notification touches. */
export type TakeNotificationPorts = TransitionPorts &
  Pick<Ports, "payTools" | "refunds" | "wallets" | "policy">;

/**
 * Takes a wallet's notification: verified, matched to the order, and committed before it is acknowledged. It may come twice, late, first, out of order or
 * forged; only what the wallet signed about this very order moves it. Source: BEHAVIOUR, "Orders", notify endpoints.
 */
export function takeNotification(
  ports: TakeNotificationPorts,
  address: NotificationAddress,
  notification: RawNotification,
): ResultAsync<void, NotificationNotTaken | StorageFailure> {
  return proveNotification(ports, address, notification).andThen((verified) =>
    applyNotification(ports, address, verified),
  );
}

/** Verifies a notification and changes nothing: the first half of {@link takeNotification}. */
export function proveNotification(
  ports: TakeNotificationPorts,
  address: NotificationAddress,
  notification: RawNotification,
): ResultAsync<VerifiedNotification, NotificationNotTaken | StorageFailure> {
  return verifyNotification(ports, address, notification).mapErr((failure) => told(ports, address, failure));
}

/** Applies a notification that was verified: the second half of {@link takeNotification}. */
export function applyNotification(
  ports: TakeNotificationPorts,
  address: NotificationAddress,
  { account, event }: VerifiedNotification,
): ResultAsync<void, NotificationNotTaken | StorageFailure> {
  const applied =
    event.kind === "payment"
      ? takePaymentNotification(ports, address, account, event.order)
      : takeRefundNotification(ports, address, account, event.refund);
  return applied.mapErr((failure) => told(ports, address, failure));
}

/** Tells the observer that a notification was refused. */
function told(
  ports: TakeNotificationPorts,
  { payChannel }: NotificationAddress,
  failure: NotificationNotTaken | StorageFailure,
): NotificationNotTaken | StorageFailure {
  if (failure.name === "notification.refused") {
    tell(ports, { type: "notification.refused", payChannel, reason: failure.reason });
  }
  return failure;
}
