import type { SharedScope } from "../sessions/shared-sms-limits.js";
import type { StatementSource, TimelineEventType } from "../orders/event-details.js";
import type { StorageFailureName } from "../errors/failure.js";
import type { AlertNotSent } from "../alerts/alert-channel.js";
import type { FailureName } from "../errors/catalog.js";
import type { PaymentStatus } from "../orders/payment-status-moves.js";
import type { PayChannel, PayTool } from "../pay-tools/pay-tool.js";
import type { RefundStatus } from "../orders/refund-status.js";
import type { PayToolCredentialExpiry, WalletFailure, WalletRejected } from "../wallets/wallet.js";
import type { OrderEventType } from "./order-event.js";
import type { WalletCall } from "../wallets/wallet-call.js";
import type { NotificationNotAccepted } from "../wallets/notification-not-accepted.js";

/** An event for metrics, logs and alerts. Contains no personal data and no secrets of Tillkit. */
export type ServiceEvent =
  | {
      readonly type: "order.moved";
      readonly appId: string;
      readonly orderId: string;
      readonly from: PaymentStatus;
      readonly to: PaymentStatus;
    }
  | {
      /** A person must look at the order. Its timeline contains the reason. */
      readonly type: "order.alarm";
      readonly appId: string;
      readonly orderId: string;
      readonly event: TimelineEventType;
    }
  | {
      /**
       * A refund, partial or full, was stored, or entered a status other than SENT.
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
      /** A handler has handled an event of an order. */
      readonly type: "event.delivered";
      readonly appId: string;
      readonly orderId: string;
      readonly handler: string;
      readonly eventId: string;
      readonly eventType: OrderEventType;
      readonly durationMs: number;
    }
  | {
      /**
       * A handler failed, or did not end before `policy.eventDeadline`.
       *
       * After `event.failed`, Tillkit tries again. After `event.parked`, `policy.eventTries`
       * attempts have failed. The handler receives no more events of the order until an operator
       * replays or skips the event.
       */
      readonly type: "event.failed" | "event.parked";
      readonly appId: string;
      readonly orderId: string;
      readonly handler: string;
      readonly eventId: string;
      readonly eventType: OrderEventType;
      /** The number of failed attempts. */
      readonly tries: number;
      readonly reason: "threw" | "timeout";
      /** The name of the error that the handler threw. */
      readonly error?: string;
      /** The code of this error or of its cause, such as a SQLSTATE or `ECONNREFUSED`. */
      readonly code?: string;
      /** The stack frames of the error, the newest first. Absent if no error was thrown. */
      readonly at?: readonly string[];
    }
  | {
      /**
       * Tillkit recorded a payment. If `source` is `query`, no notification had reported it before.
       */
      readonly type: "payment.recorded";
      readonly payChannel: PayChannel;
      readonly appId: string;
      readonly orderId: string;
      readonly source: StatementSource;
      /** Milliseconds from the payment, by the wallet's clock, to its record. Never negative. */
      readonly delayMs: number;
    }
  | {
      /** Tillkit applied a notification. Its change is committed. */
      readonly type: "notification.accepted";
      readonly payChannel: PayChannel;
      readonly kind: "payment" | "refund";
    }
  | {
      /** The storage failed: the notification was not acknowledged, and the wallet repeats it. */
      readonly type: "notification.failed";
      readonly payChannel: PayChannel;
      readonly failure: StorageFailureName;
      /** What the driver threw. For the host's exception log. */
      readonly cause?: unknown;
    }
  | {
      readonly type: "notification.refused";
      readonly payChannel: PayChannel;
      readonly reason: NotificationNotAccepted["reason"];
    }
  | {
      readonly type: "wallet.called";
      readonly payChannel: PayChannel;
      readonly payToolId?: string;
      readonly appId?: string;
      readonly orderId?: string;
      readonly refundNo?: string;
      readonly call: WalletCall;
      readonly outcome: "ok" | "rejected" | "unknown";
      /** Why the wallet refused the call. Absent unless `outcome` is `rejected`. */
      readonly reason?: WalletRejected["reason"];
      /**
       * The wallet's code and text about a failure, at most 300 characters.
       *
       * Contains no numbers of customers, no keys, and no texts of the order.
       */
      readonly detail?: string;
      readonly durationMs: number;
    }
  | {
      /**
       * A wallet adapter downloaded and verified a certificate of the wallet that was new to it.
       *
       * From now on, this process trusts messages that the key of the certificate signs. Each
       * process downloads its own certificates, and stores them in memory only.
       */
      readonly type: "wallet.key-trusted";
      readonly payChannel: PayChannel;
      /** The merchant's account at the wallet. */
      readonly accountId: string;
      /** The serial number of the certificate, as the wallet's messages name it. */
      readonly serialNo: string;
      /** Epoch milliseconds. */
      readonly validFrom: number;
      /** Epoch milliseconds. */
      readonly expiresAt: number;
    }
  | {
      /** A wallet stated its time in a response. */
      readonly type: "clock.measured";
      readonly payChannel: PayChannel;
      /** The gateway: DEV and PROD may have different clocks. */
      readonly appEnv: PayTool["appEnv"];
      /** Milliseconds that the host's clock is ahead of the wallet's clock. Negative if behind. */
      readonly skewMs: number;
    }
  | {
      /**
       * `clock.off`: the host's clock differs from a wallet's clock by more than a minute.
       *
       * `clock.right` follows once the difference is at most half a minute. A wallet refuses
       * requests of a host whose clock differs by more than five minutes.
       */
      readonly type: "clock.off" | "clock.right";
      readonly payChannel: PayChannel;
      /** The gateway: DEV and PROD may have different clocks. */
      readonly appEnv: PayTool["appEnv"];
      /** Milliseconds that the host's clock is ahead of the wallet's clock. Negative if behind. */
      readonly skewMs: number;
    }
  | {
      /**
       * Tillkit compared a bill. `open` and `healed` count OPEN and HEALED differences of the run.
       */
      readonly type: "bill.reconciled";
      readonly payChannel: PayChannel;
      /** The merchant's account at the wallet. */
      readonly accountId: string;
      /** `YYYY-MM-DD`, a day in China. */
      readonly day: string;
      readonly open: number;
      readonly healed: number;
    }
  | {
      /**
       * Tillkit could not read or compare a bill. A later run repeats it.
       *
       * Wallets create the bill of a day on the next morning. Until then, `reason` is `not-ready`.
       */
      readonly type: "bill.not-compared";
      readonly payChannel: PayChannel;
      /** The merchant's account at the wallet. */
      readonly accountId: string;
      /** `YYYY-MM-DD`, a day in China. */
      readonly day: string;
      readonly failure: "pay-tool.not-configured" | WalletFailure["name"];
      /** Present if the wallet refused the call. */
      readonly reason?: WalletRejected["reason"];
    }
  | {
      /** A credential of a pay tool has expired or expires within `policy.credentialWarning`. */
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
      /** Tillkit checked when the credentials of all pay tools expire. */
      readonly type: "credentials.checked";
      /** All expiries, the earliest first. */
      readonly expiries: readonly PayToolCredentialExpiry[];
      /** The number of pay tools whose credentials could not be read from storage. */
      readonly unread: number;
    }
  | {
      /** A step of a background task ended. `failure` is absent on success. */
      readonly type: "task.ran";
      /** The name of the task, such as `reconcile`. */
      readonly task: string;
      /** The id of this step's trace. See `aroundStep` of `@tillkit/host`. */
      readonly traceId: string;
      readonly failure?: string;
      /** What a dependency threw. For the host's exception log. */
      readonly cause?: unknown;
      readonly durationMs: number;
    }
  | {
      /** Tillkit answered a payments or sessions request. `failure` is absent on success. */
      readonly type: "request.answered";
      /** `OTHER` for a method that HTTP does not define. */
      readonly method: string;
      /**
       * The path in the route table, so that metrics contain no identities.
       *
       * Absent if the endpoint does not exist.
       */
      readonly path?: string;
      readonly traceId: string;
      /**
       * The app whose id the request has. Absent if no app has this id.
       *
       * If `failure` is `credentials.invalid`, the request may come from someone else.
       */
      readonly appId?: string;
      /** Present if the app is disabled. */
      readonly isAppDisabled?: true;
      /**
       * `overload` if Tillkit rejected the request because too many other requests were running.
       * The response then has the code of another failure.
       */
      readonly failure?: FailureName | "overload";
      /** What a dependency threw. For the host's exception log, never for a caller. */
      readonly cause?: unknown;
      readonly durationMs: number;
    }
  | {
      /** Tillkit called the SMS carrier. `rejected` means that nothing was sent. */
      readonly type: "sms.called";
      readonly appId: string;
      readonly outcome: "ok" | "rejected" | "unknown";
      /** The text of the `SmsSender` about a failure, without the phone number and the code. */
      readonly detail?: string;
      readonly durationMs: number;
    }
  | {
      /**
       * The number of messages or wrong codes in an hour or a day is near its limit, or has reached
       * it.
       *
       * `used` of `limit` messages or codes are used. The hour or day ends at `endsAt`, epoch
       * milliseconds.
       */
      readonly type: "sms.limit-near";
      readonly scope: SharedScope;
      readonly appId?: string;
      /** Two letters, ISO 3166. */
      readonly country?: string;
      readonly used: number;
      readonly limit: number;
      readonly endsAt: number;
    }
  | {
      /** A carrier reported whether one SMS arrived. The surface of `@tillkit/sms` emits it. */
      readonly type: "sms.reported";
      readonly carrier: "aliyun" | "tencent" | "twilio";
      readonly outcome: "delivered" | "undelivered";
    }
  | {
      /** An alert channel accepted a message about `matters` matters that need a person. */
      readonly type: "alert.sent";
      /** The name of the channel. */
      readonly channel: string;
      readonly matters: number;
      /** Whether an earlier attempt to send this message had an unknown result. */
      readonly isRepeated: boolean;
    }
  | {
      /**
       * An alert channel did not accept a message, or the result is unknown.
       *
       * Tillkit tries again after a pause. If the result of the second attempt is unknown as well,
       * the message counts as sent.
       */
      readonly type: "alert.not-sent";
      readonly channel: string;
      readonly reason: AlertNotSent["reason"];
      /** The service's own code and text, without its address. */
      readonly detail: string;
      /** What to do, for an operator. */
      readonly advice: string;
      /** The number of failed messages in a row. */
      readonly failures: number;
    }
  | {
      /**
       * The storage check of this process began to fail, or fails for another reason than before.
       *
       * Load balancers send this process no more requests. `host.ready` follows once the check
       * succeeds.
       */
      readonly type: "host.not-ready";
      /** The requirement that the storage does not meet, such as `storage.read-only`. */
      readonly why: string;
      /** What to do, in one line, without secrets. Absent if the reason may be temporary. */
      readonly remedy?: string;
      /** What the driver threw. For the host's exception log. */
      readonly cause?: unknown;
    }
  | {
      /** The storage check of this process succeeds again. */
      readonly type: "host.ready";
    }
  | {
      /**
       * The storage refused a request or a step of a background task for a reason that lasts until
       * the operator removes it, such as a missing right.
       */
      readonly type: "storage.misconfigured";
      /** What to do, in one line, without data of customers. */
      readonly remedy: string;
      /** What the driver threw. For the host's exception log. */
      readonly cause?: unknown;
    }
  | {
      /**
       * Tillkit rejected a request: too many requests were running or waiting.
       *
       * Also emitted if the client disconnects while its request waits.
       * For payments and sessions, `request.answered` is emitted as well.
       */
      readonly type: "request.refused";
      readonly surface: "payments" | "metrics" | "notifications" | "receipts";
    };

/**
 * Receives events for metrics, logs and alerts.
 *
 * The observer must not throw. Tillkit does not wait for it.
 */
export interface Observer {
  /** Receives one event. */
  onEvent(event: ServiceEvent): void;
}
