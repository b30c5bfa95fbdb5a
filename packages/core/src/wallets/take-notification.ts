import { err, ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { applyWalletOrder, type TransitionPorts } from "../orders/transition-order.js";
import type { PayChannel, WalletAccount } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { applyWalletRefund } from "../refunds/apply-wallet-refund.js";
import { bytesOfBase64Url } from "../shared/base64-url.js";
import { type Notice, tell } from "../shared/observer.js";
import { attempt } from "../shared/attempt.js";
import type { RawNotification, WalletEvent } from "./wallet.js";

/** The ports that taking a notification touches. */
export type TakeNotificationPorts = TransitionPorts &
  Pick<Ports, "payTools" | "refunds" | "wallets" | "policy">;

/** Why a notification was not taken. */
export interface NotificationNotTaken {
  readonly name: "notification.refused";
  readonly reason: Extract<Notice, { type: "notification.refused" }>["reason"];
}

/** Which notification endpoint was called: its URL is made with the order and frozen at the wallet. */
export interface NotificationAddress {
  readonly payChannel: PayChannel;
  readonly payToolId: string;
  /** The order's `bizNo` as base64url, so that storage finds the order in one hop. It proves nothing. */
  readonly orderRef: string;
}

/** A notification whose signature was verified. */
interface VerifiedNotification {
  readonly account: WalletAccount;
  readonly event: WalletEvent;
}

/**
 * Takes a wallet's notification: verified, matched to the order, and committed before it is acknowledged. It may come twice, late, first, out of order or
 * forged; only what the wallet signed about this very order moves it. Source: BEHAVIOUR, "Orders", notify endpoints.
 */
export function takeNotification(
  ports: TakeNotificationPorts,
  address: NotificationAddress,
  notification: RawNotification,
): ResultAsync<void, NotificationNotTaken | StorageFailure> {
  return verifyNotification(ports, address, notification).andThen((verified) =>
    applyNotification(ports, address, verified),
  );
}

/** Verifies a notification and changes nothing: the first half of {@link takeNotification}. */
export function verifyNotification(
  ports: TakeNotificationPorts,
  address: NotificationAddress,
  notification: RawNotification,
): ResultAsync<VerifiedNotification, NotificationNotTaken | StorageFailure> {
  return attempt(async () => {
    const accountResult = await ports.payTools.find(address.payToolId);
    if (accountResult.isErr()) return accountResult;
    const account = accountResult.value;
    if (account?.payChannel !== address.payChannel) return refused("unknown-account");
    const time = { now: ports.clock.now(), skew: ports.policy.notificationSkew };
    const eventResult = await ports.wallets[account.payChannel].readNotification(account, notification, time);
    if (eventResult.isErr()) return eventResult;
    const event = eventResult.value;
    return ok({ account, event });
  }).mapErr((failure) => told(ports, address, failure));
}

/** Applies a notification that was verified: the second half of {@link takeNotification}. */
export function applyNotification(
  ports: TakeNotificationPorts,
  address: NotificationAddress,
  verified: VerifiedNotification,
): ResultAsync<void, NotificationNotTaken | StorageFailure> {
  return apply(ports, address, verified).mapErr((failure) => told(ports, address, failure));
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

function apply(
  ports: TakeNotificationPorts,
  address: NotificationAddress,
  { account, event }: VerifiedNotification,
) {
  return attempt(async () => {
    const bizNo = bizNoOf(address.orderRef);
    if (bizNo === undefined) return refused("unknown-order");
    const orderResult = await ports.orders.find({ appId: account.appId, bizNo });
    if (orderResult.isErr()) return orderResult;
    const order = orderResult.value;
    // Anybody can send a genuine message about one order to the address of another: only the signed number counts.
    if (order === undefined || order.id !== outTradeNoOf(event)) return refused("unknown-order");
    // Only the merchant that the order was made for can say what became of it.
    if (order.payToolId !== account.id) return refused("unknown-account");
    if (event.kind === "payment") {
      const applied = await applyWalletOrder(ports, order, account, event.order, "the wallet's notification");
      if (applied.isErr()) return applied;
      const { mismatch } = applied.value;
      return mismatch ? refused("mismatch") : ok(undefined);
    }
    const appliedResult = await applyWalletRefund(ports, order, account, event.refund);
    if (appliedResult.isErr()) return appliedResult;
    const { fits } = appliedResult.value;
    return fits ? ok(undefined) : refused("mismatch");
  });
}

function refused(reason: NotificationNotTaken["reason"]) {
  return err<never, NotificationNotTaken>({ name: "notification.refused", reason });
}

function outTradeNoOf(event: WalletEvent): string {
  return event.kind === "payment" ? event.order.outTradeNo : event.refund.outTradeNo;
}

function bizNoOf(orderRef: string): string | undefined {
  const bytes = bytesOfBase64Url(orderRef);
  if (bytes === undefined || bytes.some((byte) => byte < 0x21 || byte > 0x7e)) return undefined;
  return new TextDecoder().decode(bytes);
}
