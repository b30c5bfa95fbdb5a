import type { Clock, PayChannel } from "@tillkit/core";
import type { Message } from "./courier.js";
import type { Falsity } from "./faults.js";
import type { SandboxKeys } from "./keys.js";
import { type LedgerOrder, type LedgerRefund, refundedAmount } from "./ledger-order.js";
import { newNotice, type Notice } from "./notice.js";
import type { WalletCertificate } from "./rotation/rotation.js";
import { refundText, transactionText } from "./wallet-a/facts.js";
import { walletAAcknowledged, writeWalletANotification } from "./wallet-a/notify.js";
import { tradeFacts } from "./wallet-b/facts.js";
import { walletBAcknowledged, writeWalletBNotification } from "./wallet-b/notify.js";

/** Writes the notifications of both wallets. */
export interface Messages {
  /** That the order is paid, as it was told when it was. */
  payment(payChannel: PayChannel, order: LedgerOrder): Message;
  /** That money went back, as it was told when it did. */
  refund(payChannel: PayChannel, order: LedgerOrder, refund: LedgerRefund): Message;
  /** That the trade ended unpaid; only WALLET_B tells. */
  closed(order: LedgerOrder): Message;
}

/** What notifications are written with. */
export interface MessagesOptions {
  readonly keys: SandboxKeys;
  readonly clock: Pick<Clock, "now">;
  /** Which of its two keys WALLET_A signs notifications with. */
  readonly signing: "certificate" | "public-key";
  /** The certificate that WALLET_B signs with; `undefined` for an app in key mode. */
  readonly certificateB: () => WalletCertificate | undefined;
}

/** Notifications that are signed with the wallets' keys of this sandbox. */
export function messagesOf({ keys, clock, signing, certificateB }: MessagesOptions): Messages {
  const idOf = ({ about, outTradeNo }: Pick<Message, "about" | "outTradeNo">, refundNo = "") =>
    newNotice("WALLET_A", about, outTradeNo, { refundNo, dueAt: 0 }).id;

  function walletA(order: LedgerOrder, refund?: LedgerRefund): Message {
    const { outTradeNo, notifyUrl } = order.terms;
    const about = refund === undefined ? "payment" : "refund";
    const news = { id: idOf({ about, outTradeNo }, refund?.refundNo), url: refund?.notifyUrl ?? notifyUrl };
    return {
      payChannel: "WALLET_A",
      outTradeNo,
      about,
      acknowledged: walletAAcknowledged,
      write: (as) => {
        const told = lying(order, as);
        const what =
          refund === undefined
            ? ({ about: "transaction", text: transactionText(told) } as const)
            : ({ about: "refund", text: refundText(told, lyingRefund(refund, as)) } as const);
        return writeWalletANotification({ ...news, ...what }, { keys, signing, as, now: clock.now() });
      },
    };
  }

  function walletB(about: Message["about"], order: LedgerOrder, refundNo?: string): Message {
    const { outTradeNo, notifyUrl } = order.terms;
    const id = idOf({ about, outTradeNo }, refundNo);
    return {
      payChannel: "WALLET_B",
      outTradeNo,
      about,
      acknowledged: walletBAcknowledged,
      write: (as) => {
        const facts = tradeFacts(lying(order, as));
        const writing = { keys, certificate: certificateB(), as, now: clock.now() };
        return writeWalletBNotification({ id, url: notifyUrl, facts }, writing);
      },
    };
  }

  return {
    payment: (payChannel, order) => {
      const paid: LedgerOrder = { ...order, state: "PAID", refunds: [] };
      return payChannel === "WALLET_A" ? walletA(paid) : walletB("payment", paid);
    },
    refund: (payChannel, order, refund) => {
      if (payChannel === "WALLET_A") return walletA(order, refund);
      const refunds = order.refunds.slice(0, order.refunds.indexOf(refund) + 1);
      const whole = refundedAmount({ ...order, refunds }) === order.terms.amount;
      return walletB("refund", { ...order, refunds, state: whole ? "REFUNDED" : "PAID" }, refund.refundNo);
    },
    closed: (order) => walletB("closed", { ...order, state: "CLOSED" }),
  };
}

/** What a notice says of its order; `undefined` when the books have no such order, or it was paid before it could be said to be closed. */
export function messageOf(
  messages: Messages,
  { payChannel, about, refundNo }: Notice,
  order: LedgerOrder | undefined,
): Message | undefined {
  if (order === undefined) return undefined;
  if (about === "payment") return messages.payment(payChannel, order);
  if (about === "closed") return order.paidAt === null ? messages.closed(order) : undefined;
  const refund = order.refunds.find((known) => known.refundNo === refundNo);
  return refund === undefined ? undefined : messages.refund(payChannel, order, refund);
}

function lying(order: LedgerOrder, as: Falsity | null): LedgerOrder {
  const { terms } = order;
  if (as === "wrong-amount") return { ...order, terms: { ...terms, amount: terms.amount + 1 } };
  if (as === "wrong-app") return { ...order, terms: { ...terms, walletAppId: `${terms.walletAppId}9` } };
  if (as === "wrong-merchant") return { ...order, terms: { ...terms, merchantId: `${terms.merchantId}9` } };
  return order;
}

function lyingRefund(refund: LedgerRefund, as: Falsity | null): LedgerRefund {
  return as === "wrong-amount" ? { ...refund, amount: refund.amount + 1 } : refund;
}
