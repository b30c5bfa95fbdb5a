import type { AlertStore } from "./alerts/alert-store.js";
import type { AppStore } from "./apps/app-store.js";
import type { AuditLog } from "./audit/audit-log.js";
import type { BillExceptionStore } from "./bills/bill-exception-store.js";
import type { BillLineStore } from "./bills/bill-line-store.js";
import type { BillSettlementStore } from "./bills/bill-settlement-store.js";
import type { KeptBillStore } from "./bills/kept-bill-store.js";
import type { CustomerDataStore } from "./customers/customer-data-store.js";
import type { DownloadsClientStore } from "./downloads/downloads-client-store.js";
import type { DownloadsSource } from "./downloads/downloads-source.js";
import type { FiguresStore } from "./figures/figures-store.js";
import type { OrderSearch } from "./operations/order-search.js";
import type { OperatorSessionStore } from "./operators/operator-session-store.js";
import type { OperatorStore } from "./operators/operator-store.js";
import type { SignInAttemptStore } from "./operators/sign-in-attempt-store.js";
import type { OrderStore } from "./orders/order-store.js";
import type { PayChannel } from "./pay-tools/pay-tool.js";
import type { PayToolStore } from "./pay-tools/pay-tool-store.js";
import type { Policy } from "./policy.js";
import type { ReadinessStore } from "./shared/readiness-store.js";
import type { RefundApprovalStore } from "./refund-approvals/refund-approval-store.js";
import type { RefundStore } from "./refunds/refund-store.js";
import type { ServiceStore } from "./services/service-store.js";
import type { ServiceTypeStore } from "./services/service-type-store.js";
import type { SessionStore } from "./sessions/session-store.js";
import type { CodeStore } from "./sessions/code-store.js";
import type { SmsRequest, SmsSender } from "./sessions/sms-sender.js";
import type { Compressor } from "./http/compressor.js";
import type { Clock } from "./shared/clock.js";
import type { Digest } from "./shared/digest.js";
import type { EventDeliveryStore } from "./events/event-delivery-store.js";
import type { Observer } from "./events/observer.js";
import type { QuotaStore } from "./shared/quota-store.js";
import type { Random } from "./shared/random.js";
import type { AccessTokenStore } from "./wallets/access-token-store.js";
import type { Wallet } from "./wallets/wallet.js";

/** The storage ports that a database adapter implements, all over one database. */
export interface Stores {
  readonly apps: AppStore;
  readonly payTools: PayToolStore;
  readonly orders: OrderStore;
  readonly orderSearch: OrderSearch;
  readonly refunds: RefundStore;
  readonly refundApprovals: RefundApprovalStore;
  readonly billLines: BillLineStore;
  readonly billSettlements: BillSettlementStore;
  readonly keptBills: KeptBillStore;
  readonly billExceptions: BillExceptionStore;
  readonly serviceTypes: ServiceTypeStore;
  readonly services: ServiceStore;
  readonly codes: CodeStore;
  readonly sessions: SessionStore;
  readonly customerData: CustomerDataStore;
  readonly quotas: QuotaStore;
  readonly downloads: DownloadsSource;
  readonly downloadsClients: DownloadsClientStore;
  readonly eventDeliveries: EventDeliveryStore;
  readonly operators: OperatorStore;
  readonly operatorSessions: OperatorSessionStore;
  readonly signInAttempts: SignInAttemptStore;
  readonly auditLog: AuditLog;
  readonly alerts: AlertStore;
  readonly figures: FiguresStore;
  readonly accessTokens: AccessTokenStore;
  readonly readiness: ReadinessStore;
}

/**
 * Everything that core needs from a host.
 *
 * A function names the ports that it uses in its signature, for example `Pick<Ports, "orders" |
 * "clock">`.
 */
export interface Ports extends Stores {
  readonly clock: Clock;
  readonly random: Random;
  readonly digest: Digest;
  readonly observer: Observer;
  readonly policy: Policy;
  readonly wallets: Readonly<Record<PayChannel, Wallet>>;
  /** Sends SMS codes. Absent if the host offers no SMS login. */
  readonly smsSender?: SmsSender;
  /**
   * Decides whether a code may be sent, for example by a captcha or the customer's address.
   *
   * By default, every code within the limits of the policy may be sent. Tillkit calls this function
   * before it checks the limits, so a rejected request takes no unit of a limit. The caller of the
   * request waits for the result. If the function throws or rejects, no code is sent.
   */
  readonly admitSms?: (request: SmsRequest) => boolean | Promise<boolean>;
  /** Compresses reports and histories for clients that accept it. Absent: nothing is compressed. */
  readonly compressor?: Compressor;
  /** The public base URL of the notification and return endpoints, without a trailing slash. */
  readonly notificationsUrl: string;
}
