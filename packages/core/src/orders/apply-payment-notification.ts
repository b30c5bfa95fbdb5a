import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { bizNoOf, type NotificationAddress } from "../wallets/notification-address.js";
import { type NotificationNotAccepted, notAccepted } from "../wallets/notification-not-accepted.js";
import type { WalletOrder } from "../wallets/wallet.js";
import type { Order } from "./order.js";
import { applyWalletOrder, type ApplyWalletOrderPorts } from "./apply-wallet-order.js";

/** Returns the order that the notification's URL names. Fails unless number and merchant match. */
export function notifiedOrder(
  ports: Pick<Ports, "orders">,
  { orderRef }: NotificationAddress,
  account: WalletAccount,
  outTradeNo: string,
): ResultAsync<Order, NotificationNotAccepted | StorageFailure> {
  return attempt(async () => {
    const bizNo = bizNoOf(orderRef);
    if (bizNo === undefined) return notAccepted("unknown-order");
    const order = await ports.orders.find({ appId: account.appId, bizNo });
    if (order.isErr()) return order;
    // Anyone can send a genuine message to the address of another order. Only the signed number
    // counts.
    if (order.value === undefined || order.value.id !== outTradeNo) return notAccepted("unknown-order");
    // Only the order's own merchant can report on it.
    return order.value.payToolId === account.id ? ok(order.value) : notAccepted("unknown-account");
  });
}

/** Applies a verified payment notification to its order, and returns the order. Safe to repeat. */
export function applyPaymentNotification(
  ports: ApplyWalletOrderPorts,
  address: NotificationAddress,
  account: WalletAccount,
  statement: WalletOrder,
): ResultAsync<Order, NotificationNotAccepted | StorageFailure> {
  return attempt(async () => {
    const order = await notifiedOrder(ports, address, account, statement.outTradeNo);
    if (order.isErr()) return order;
    const outcome = await applyWalletOrder(ports, order.value, account, statement, "notification");
    if (outcome.isErr()) return outcome;
    return outcome.value.mismatch ? notAccepted("mismatch") : ok(outcome.value.order);
  });
}
