import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { notifiedOrder } from "../orders/apply-payment-notification.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import { attempt } from "../shared/attempt.js";
import type { NotificationAddress } from "../wallets/notification-address.js";
import { type NotificationNotAccepted, notAccepted } from "../wallets/notification-not-accepted.js";
import type { WalletRefund } from "../wallets/wallet.js";
import { applyWalletRefund, type ApplyRefundPorts } from "./apply-wallet-refund.js";

/** Applies a verified refund notification to the refund of its order. Safe to repeat. */
export function applyRefundNotification(
  ports: ApplyRefundPorts,
  address: NotificationAddress,
  account: WalletAccount,
  stated: WalletRefund,
): ResultAsync<void, NotificationNotAccepted | StorageFailure> {
  return attempt(async () => {
    const order = await notifiedOrder(ports, address, account, stated.outTradeNo);
    if (order.isErr()) return order;
    const applied = await applyWalletRefund(ports, order.value, account, stated);
    if (applied.isErr()) return applied;
    return applied.value.fits ? ok(undefined) : notAccepted("mismatch");
  });
}
