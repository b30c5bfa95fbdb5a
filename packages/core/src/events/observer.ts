import type { FailureName } from "../errors/catalog.js";
import type { PaymentStatus } from "../orders/order.js";
import type { TimelineEventType } from "../orders/timeline.js";
import type { PayChannel } from "../pay-tools/pay-tool.js";
import type { RefundStatus } from "../refunds/refund.js";
import type { WalletCall } from "../wallets/wallet-call.js";
import type { NotificationNotTaken } from "../wallets/notification-not-taken.js";

/** Something a host may want to count or to be woken for. It holds no personal data and no secret of ours. */
export type Notice =
  | {
      readonly type: "order.moved";
      readonly appId: string;
      readonly orderId: string;
      readonly from: PaymentStatus;
      readonly to: PaymentStatus;
    }
  | {
      /** A person must look at the order: its timeline says why. */
      readonly type: "order.alarm";
      readonly appId: string;
      readonly orderId: string;
      readonly event: TimelineEventType;
    }
  | {
      /**
       * A refund of a part of the amount or of the whole was stored, or entered a status other than
       * SENT.
       */
      readonly type: "refund.moved";
      readonly appId: string;
      readonly orderId: string;
      readonly refundNo: string;
      readonly to: Exclude<RefundStatus, "SENT">;
      /** Cents of this refund. */
      readonly amount: number;
    }
  | {
      readonly type: "notification.refused";
      readonly payChannel: PayChannel;
      readonly reason: NotificationNotTaken["reason"];
    }
  | {
      readonly type: "wallet.called";
      readonly payChannel: PayChannel;
      readonly call: WalletCall;
      readonly outcome: "ok" | "rejected" | "unknown";
      readonly durationMs: number;
    }
  | {
      /** A bill was compared with the record: how many differences of it are OPEN now, and how many the wallet's answers healed. */
      readonly type: "bill.reconciled";
      readonly payChannel: PayChannel;
      /** `YYYY-MM-DD`, a day in China. */
      readonly day: string;
      readonly open: number;
      readonly healed: number;
    }
  | {
      /** A certificate or key of a pay tool ends within `policy.credentialWarning` or has ended. */
      readonly type: "credential.expiring";
      readonly payChannel: PayChannel;
      readonly appId: string;
      readonly payToolId: string;
      /** The name of the credential, such as `merchantCertificate`. */
      readonly name: string;
      /** Epoch milliseconds. */
      readonly expiresAt: number;
    }
  | {
      /** A payments or sessions request was answered; `failure` is absent on success. */
      readonly type: "request.answered";
      readonly method: string;
      /** The path of the route table, so that no identity gets into a metric; absent when there is no such endpoint. */
      readonly path?: string;
      readonly traceId: string;
      readonly failure?: FailureName;
      /** What a dependency threw, when one did: for the host's log of exceptions, never for a caller. */
      readonly cause?: unknown;
      readonly durationMs: number;
    }
  | {
      /** There was no room for a request: nothing was begun. Of payments and sessions `request.answered` is told as well. */
      readonly type: "request.refused";
      readonly surface: "payments" | "metrics" | "notifications";
    };

/** Hears what happens, for metrics, logs and alerts. It must not throw and is not waited for. */
export interface Observer {
  /** Takes one notice. */
  notice(notice: Notice): void;
}
