import type { Clock, PayChannel } from "@tillkit/core";
import type { NotificationMessage } from "./notification-dispatcher.js";
import type { Forgery } from "./faults.js";
import type { SandboxKeys } from "./keys.js";
import { type LedgerOrder, type LedgerRefund, type RefundOutcome, refundState } from "./ledger-order.js";
import { newPendingNotification, type PendingNotification } from "./pending-notification.js";
import type { WalletCertificate } from "./rotation/rotation.js";
import { refundText, transactionText } from "./wechat-pay/trade-json.js";
import { walletAAcknowledged, writeWalletANotification } from "./wechat-pay/notify.js";
import { tradeFacts } from "./alipay/trade-json.js";
import { walletBAcknowledged, writeWalletBNotification } from "./alipay/notify.js";

/** Creates the notifications of both wallets. */
export interface Messages {
  /** Creates the notification of a payment, with the order as it was when it was paid. */
  payment(payChannel: PayChannel, order: LedgerOrder): NotificationMessage;
  /** Creates the notification that a refund ended with `outcome`. Alipay reports only SUCCESS. */
  refund(
    payChannel: PayChannel,
    order: LedgerOrder,
    refund: LedgerRefund,
    outcome: RefundOutcome,
  ): NotificationMessage;
  /** Creates Alipay's notification that a trade ended unpaid. */
  closed(order: LedgerOrder): NotificationMessage;
  /** Creates Alipay's notification that a trade takes no more refunds. */
  finished(order: LedgerOrder): NotificationMessage;
}

/** A refund and its outcome. */
interface EndedRefund {
  readonly refund: LedgerRefund;
  readonly outcome: RefundOutcome;
}

/** The dependencies of the notifications. */
export interface MessagesOptions {
  readonly keys: SandboxKeys;
  readonly clock: Pick<Clock, "now">;
  /** Which of its two keys WeChat Pay signs notifications with. */
  readonly signing: "certificate" | "public-key";
  /** Returns the certificate that Alipay signs with, or `undefined` for an app in key mode. */
  readonly certificateB: () => WalletCertificate | undefined;
}

/** Creates notifications signed with the wallets' keys of this sandbox. */
export function messagesOf({ keys, clock, signing, certificateB }: MessagesOptions): Messages {
  const idOf = (
    { about, outTradeNo }: Pick<NotificationMessage, "about" | "outTradeNo">,
    ended?: EndedRefund,
  ) =>
    newPendingNotification("WALLET_A", about, outTradeNo, {
      ...(ended === undefined ? {} : { refundNo: ended.refund.refundNo, outcome: ended.outcome }),
      dueAt: 0,
    }).id;

  function walletA(order: LedgerOrder, ended?: EndedRefund): NotificationMessage {
    const { outTradeNo, notifyUrl } = order.terms;
    const about = ended === undefined ? "payment" : "refund";
    const news = { id: idOf({ about, outTradeNo }, ended), url: ended?.refund.notifyUrl ?? notifyUrl };
    return {
      payChannel: "WALLET_A",
      outTradeNo,
      about,
      acknowledged: walletAAcknowledged,
      write: (as) => {
        const reported = lying(order, as);
        const what =
          ended === undefined
            ? ({ event: "TRANSACTION.SUCCESS", text: transactionText(reported, clock.now()) } as const)
            : {
                event: `REFUND.${ended.outcome}` as const,
                text: refundText(reported, lyingRefund(ended.refund, as), ended.outcome),
              };
        return writeWalletANotification({ ...news, ...what }, { keys, signing, as, now: clock.now() });
      },
    };
  }

  function walletB(
    about: NotificationMessage["about"],
    order: LedgerOrder,
    ended?: EndedRefund,
  ): NotificationMessage {
    const { outTradeNo, notifyUrl } = order.terms;
    const id = idOf({ about, outTradeNo }, ended);
    return {
      payChannel: "WALLET_B",
      outTradeNo,
      about,
      acknowledged: walletBAcknowledged,
      write: (as) => {
        const facts = tradeFacts(lying(order, as), ended?.refund);
        const writing = { keys, certificate: certificateB(), as, now: clock.now() };
        return writeWalletBNotification({ id, url: notifyUrl, facts }, writing);
      },
    };
  }

  return {
    payment: (payChannel, order) => {
      const paid: LedgerOrder = { ...order, state: "PAID", refunds: [], finishedAt: null };
      return payChannel === "WALLET_A" ? walletA(paid) : walletB("payment", paid);
    },
    refund: (payChannel, order, refund, outcome) => {
      const ended = { refund, outcome };
      return payChannel === "WALLET_A" ? walletA(order, ended) : walletB("refund", order, ended);
    },
    closed: (order) => walletB("closed", { ...order, state: "CLOSED" }),
    finished: (order) => walletB("finished", order),
  };
}

/**
 * Returns the message of a pending notification at `now` (epoch milliseconds).
 *
 * Returns `undefined` if there is nothing to report: the ledger has no such order or refund, a
 * trade was paid before its closing was reported, or a refund has another outcome than the
 * notification.
 */
export function messageOf(
  messages: Messages,
  { payChannel, about, refundNo, outcome, attempts }: PendingNotification,
  order: LedgerOrder | undefined,
  now: number,
): NotificationMessage | undefined {
  if (order === undefined) return undefined;
  if (about === "payment") return messages.payment(payChannel, order);
  if (about === "finished") return messages.finished(order);
  if (about === "closed") return order.state === "CLOSED" ? messages.closed(order) : undefined;
  const refund = order.refunds.find((known) => known.refundNo === refundNo);
  if (refund === undefined) return undefined;
  // A repeated report stays valid even if the refund has changed since the first attempt.
  const stands = attempts > 0 || refundState(refund, now) === outcome;
  return stands ? messages.refund(payChannel, order, refund, outcome) : undefined;
}

function lying(order: LedgerOrder, as: Forgery | null): LedgerOrder {
  const { terms } = order;
  if (as === "wrong-amount") return { ...order, terms: { ...terms, amount: terms.amount + 1 } };
  if (as === "wrong-app") return { ...order, terms: { ...terms, walletAppId: `${terms.walletAppId}9` } };
  if (as === "other-payment") {
    const { walletTradeNo } = order;
    const last = (Number(walletTradeNo.at(-1)) + 1) % 10;
    return { ...order, walletTradeNo: `${walletTradeNo.slice(0, -1)}${last}` };
  }
  if (as === "wrong-merchant") return { ...order, terms: { ...terms, merchantId: `${terms.merchantId}9` } };
  return order;
}

function lyingRefund(refund: LedgerRefund, as: Forgery | null): LedgerRefund {
  return as === "wrong-amount" ? { ...refund, amount: refund.amount + 1 } : refund;
}
