import type { Order, Stores } from "@tillkit/core";
import { outRefundNo, type WalletOrder } from "@tillkit/core/ports";
import type { MemoryWallet } from "../wallets/memory-wallet.js";
import type { SignedNotification } from "../wallets/notification-writer.js";

/** An order of the shop's app: an `Order`, or only its `bizNo`. */
export type OrderOfShop = Pick<Order, "bizNo"> & Partial<Pick<Order, "appId">>;

/**
 * A kind of false notification.
 *
 * | Kind             | The notification                                                        |
 * | ---------------- | ----------------------------------------------------------------------- |
 * | `forged`         | is signed by a foreign key                                              |
 * | `tampered`       | was changed after the wallet signed it                                  |
 * | `stale`          | was signed too long ago; WeChat Pay only, because Alipay signs no time  |
 * | `wrong-amount`   | states another amount, with a valid signature                           |
 * | `wrong-app`      | states another app at the wallet, with a valid signature                |
 * | `wrong-merchant` | states another merchant, with a valid signature                         |
 */
export type FalseNotification =
  "forged" | "tampered" | "stale" | "wrong-amount" | "wrong-app" | "wrong-merchant";

/**
 * A wallet of a shop, which pays orders and delivers its notifications to the service.
 *
 * Use `shop.faults` instead of `failNext` to make its calls fail.
 */
export interface ShopWallet extends Omit<MemoryWallet, "failNext"> {
  /**
   * Pays the order as the customer and delivers the signed notification.
   *
   * A paid order is not paid again: the wallet repeats its notification. Rejects if the shop or the
   * wallet does not know the order, if the order can no longer be paid, or if the service does not
   * acknowledge the notification.
   */
  notify(order: OrderOfShop): Promise<void>;
  /**
   * Pays an order that is closed or expired, and delivers the signed notification.
   *
   * Rejects if the shop or the wallet does not know the order, if the order can still be paid or is
   * already paid, or if the service does not acknowledge the notification.
   */
  payLate(order: OrderOfShop): Promise<void>;
  /**
   * Ends a PROCESSING refund of the wallet, and delivers the signed notification.
   *
   * A refund that has ended does not change: the wallet repeats its notification. Rejects if the
   * wallet has no such refund, if the refund has ended in another state, or if the service does not
   * acknowledge the notification.
   *
   * Alipay's notification describes the order, so the service confirms the refund only in the next
   * `reconcileOrders`.
   *
   * @param refundNo - the caller's number of the refund.
   * @param state - defaults to `CONFIRMED`.
   */
  notifyRefund(
    order: OrderOfShop,
    refundNo: string,
    state?: "CONFIRMED" | "FAILED" | "ABNORMAL",
  ): Promise<void>;
  /**
   * Delivers a false notification of a payment. The customer pays nothing.
   *
   * Rejects if the service acknowledges the notification. Also rejects if the customer has already
   * paid the order, because the service may then acknowledge the notification.
   */
  forge(order: OrderOfShop, kind?: FalseNotification): Promise<void>;
}

/** Options of {@link shopWallet}. */
interface ShopWalletOptions {
  readonly wallet: MemoryWallet;
  /** The wallet with the faults of the shop, for the service. */
  readonly faulty: Omit<MemoryWallet, "failNext">;
  readonly appId: string;
  readonly orders: Stores["orders"];
  readonly clock: { now(): number };
  readonly skew: number;
  readonly deliver: (request: Request) => Promise<Response>;
  /** Returns the reasons for which the service has refused notifications of the wallet so far. */
  readonly refusals: () => readonly string[];
  /** Throws if the shop has ended. */
  readonly checkRunning: (step: string) => void;
}

/** Adds to a wallet the methods that deliver its notifications. */
export function shopWallet(options: ShopWalletOptions): ShopWallet {
  const { wallet, faulty, appId, orders, clock, skew, deliver, refusals, checkRunning } = options;

  const read = async ({ bizNo, appId: ofApp = appId }: OrderOfShop): Promise<Order> => {
    checkRunning(`${wallet.payChannel} cannot send notifications`);
    const found = await orders.find({ appId: ofApp, bizNo });
    if (found.isErr()) throw new Error(`The order ${bizNo} cannot be read.`, { cause: found.error });
    if (found.value === undefined) throw new Error(`The shop has no order with the bizNo "${bizNo}".`);
    const { payChannel } = found.value;
    if (payChannel !== wallet.payChannel)
      throw new Error(`The order ${bizNo} is paid at ${payChannel}, not at ${wallet.payChannel}.`);
    return found.value;
  };

  const stateOf = ({ id, bizNo }: Order): WalletOrder["state"] => {
    try {
      return wallet.stateOf(id);
    } catch (cause) {
      throw new Error(`${wallet.payChannel} does not know the order ${bizNo}: its creation failed.`, {
        cause,
      });
    }
  };

  const send = async (order: Order, { headers, body }: SignedNotification) => {
    const before = refusals().length;
    const response = await deliver(
      new Request(order.notifyUrl, { method: "POST", headers, body: Uint8Array.from(body) }),
    );
    const text = await response.text();
    const expected = wallet.answer(true);
    const acknowledged = response.status === expected.status && text === expected.body;
    const reason = refusals()
      .slice(before)
      .map((refusal) => ` (${refusal})`)
      .join("");
    return { acknowledged, reply: `HTTP ${response.status} ${text}`.trimEnd() + reason };
  };

  const sendOrThrow = async (order: Order, notification: SignedNotification): Promise<void> => {
    const { acknowledged, reply } = await send(order, notification);
    if (acknowledged) return;
    throw new Error(`The service did not acknowledge the notification of the order ${order.bizNo}: ${reply}`);
  };

  const falseNotification = (order: Order, kind: FalseNotification): SignedNotification => {
    const now = clock.now();
    const paid = { state: "PAID", paidAt: now, walletTradeNo: `trade_${order.id}` } as const;
    const signed = (changes: Partial<WalletOrder> = {}, at?: number) =>
      wallet.notificationFor(order.id, { ...paid, ...changes }, at);
    switch (kind) {
      case "forged":
        return wallet.forgeryOf(signed());
      case "tampered": {
        const { headers, body } = signed();
        return { headers, body: Uint8Array.of(...body, 0x20) };
      }
      case "stale":
        if (wallet.payChannel === "WALLET_B")
          throw new Error("WALLET_B has no stale notifications, because it signs no time for an attempt.");
        return signed({}, now - skew - 1);
      case "wrong-amount":
        return signed({ amount: order.amount + 1 });
      case "wrong-app":
        return signed({ walletAppId: "another-app" });
      case "wrong-merchant":
        return signed({ merchantId: "another-merchant" });
      default:
        throw new TypeError(`There is no false notification "${String(kind)}".`);
    }
  };

  return {
    ...faulty,
    notify: async (key) => {
      const order = await read(key);
      const state = stateOf(order);
      const over = state === "CLOSED" || (state === "OPEN" && clock.now() > order.expiresAt);
      if (over)
        throw new Error(`The order ${order.bizNo} cannot be paid any more. Use payLate to pay it late.`);
      if (state === "OPEN") wallet.pay(order.id);
      await sendOrThrow(order, wallet.notificationFor(order.id));
    },
    payLate: async (key) => {
      const order = await read(key);
      const { bizNo, paymentStatus, expiresAt } = order;
      if (paymentStatus === "PENDING" && stateOf(order) === "OPEN" && clock.now() <= expiresAt)
        throw new Error(
          `The order ${bizNo} can still be paid. Close it, or move the clock past ${new Date(expiresAt).toISOString()}.`,
        );
      wallet.pay(order.id, { late: true });
      await sendOrThrow(order, wallet.notificationFor(order.id));
    },
    notifyRefund: async (key, refundNo, state = "CONFIRMED") => {
      const order = await read(key);
      const number = outRefundNo(order, { refundNo });
      const now = wallet.refundStateOf(order.id, number);
      if (now === "PROCESSING") wallet.endRefund(order.id, number, state);
      else if (now !== state)
        throw new Error(`The refund ${refundNo} is ${now} at the wallet and cannot become ${state}.`);
      await sendOrThrow(order, wallet.refundNotificationFor(order.id, number));
    },
    forge: async (key, kind = "forged") => {
      const order = await read(key);
      const state = stateOf(order);
      if (state === "PAID" || state === "REFUNDED")
        throw new Error(`The order ${order.bizNo} is already paid. Call forge before the payment.`);
      const { acknowledged, reply } = await send(order, falseNotification(order, kind));
      if (acknowledged)
        throw new Error(
          `The service acknowledged a false notification (${kind}) of ${order.bizNo}: ${reply}`,
        );
    },
  };
}
