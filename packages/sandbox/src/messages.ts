import type { Clock, PayChannel } from "@tillkit/core";
import type { Message } from "./courier.js";
import type { FaultBoard } from "./faults.js";
import type { SandboxKeys } from "./keys.js";
import type { LedgerOrder, LedgerRefund } from "./ledger-order.js";
import { sha256 } from "./shared/sha256.js";
import { refundText, transactionText } from "./wallet-a/facts.js";
import { walletAAcknowledged, type WalletANews, writeWalletANotification } from "./wallet-a/notify.js";
import { tradeFacts } from "./wallet-b/facts.js";
import { walletBAcknowledged, writeWalletBNotification } from "./wallet-b/notify.js";

/** Writes the notifications of both wallets. */
export interface Messages {
  /** That the order is paid, as it was told when it was. */
  payment(payChannel: PayChannel, order: LedgerOrder): Message;
  /** That money went back. */
  refund(payChannel: PayChannel, order: LedgerOrder, refund: LedgerRefund): Message;
}

/** Notifications that are signed with the wallets' keys of this sandbox. */
export function messagesOf(keys: SandboxKeys, clock: Pick<Clock, "now">, faults: FaultBoard): Messages {
  const walletA = (news: WalletANews): Message => ({
    write: () => writeWalletANotification(news, keys.walletA, clock),
    acknowledged: walletAAcknowledged,
    lost: () => faults.now().walletA.notify === "drop",
  });
  const walletB = (id: string, order: LedgerOrder): Message => ({
    write: () =>
      writeWalletBNotification(
        { id, url: order.terms.notifyUrl, facts: tradeFacts(order) },
        keys.walletB,
        clock,
      ),
    acknowledged: walletBAcknowledged,
    lost: () => faults.now().walletB.notify === "drop",
  });
  return {
    payment: (payChannel, order) => {
      const paid: LedgerOrder = { ...order, state: "PAID", refunds: [] };
      const id = messageId("payment", order.terms.outTradeNo);
      if (payChannel === "WALLET_B") return walletB(id, paid);
      return walletA({ id, url: order.terms.notifyUrl, about: "transaction", text: transactionText(paid) });
    },
    refund: (payChannel, order, refund) => {
      const id = messageId("refund", order.terms.outTradeNo, refund.refundNo);
      if (payChannel === "WALLET_B") return walletB(id, order);
      return walletA({ id, url: refund.notifyUrl, about: "refund", text: refundText(order, refund) });
    },
  };
}

// Made of what the message is about, so that every repetition has the same one.
function messageId(...parts: readonly string[]): string {
  return sha256(parts.join("\n")).slice(0, 32);
}
