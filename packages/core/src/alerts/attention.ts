import type { BillException } from "../bills/bill-exception.js";
import type { Merchant } from "../bills/bill.js";
import type { OpenAlarm } from "../operations/order-search.js";
import type { OrderKey } from "../orders/order.js";
import type { RefundApproval } from "../refund-approvals/refund-approval.js";
import type { Refund } from "../refunds/refund.js";
import type { SharedScope } from "../sessions/shared-sms-limits.js";
import type { PayToolCredentialExpiry } from "../wallets/wallet.js";

/**
 * The kinds of matters that need a person, the most urgent kind first.
 *
 * - order-alarm: an order has an alarm that no operator has acknowledged.
 * - refund-abnormal: the money of a refund cannot reach the customer until the merchant acts.
 * - refund-waiting-for-funds: the merchant's balance is too small for a refund.
 * - refund-overdue: a refund is REQUESTED or SENT for longer than `policy.refundOverdue`.
 * - approval-overdue: a refund waits for a second operator longer than `policy.approvalOverdue`.
 * - bill-exception: a difference in a bill is OPEN, and was first found longer ago than
 *   `policy.billExceptionOverdue`.
 * - bill-days-missing: the bills of some days of an account were not compared.
 * - event-parked: a handler failed too often, so it receives no more events of the order for now.
 * - sms-limit-near: the messages or wrong codes of an hour or day are near a limit, or at it.
 * - credential-expiring: a certificate or key expires within `policy.credentialWarning`, or has
 *   expired.
 */
export const ATTENTION_KINDS = [
  "order-alarm",
  "refund-abnormal",
  "refund-waiting-for-funds",
  "refund-overdue",
  "approval-overdue",
  "bill-exception",
  "bill-days-missing",
  "event-parked",
  "sms-limit-near",
  "credential-expiring",
] as const;
/** One of {@link ATTENTION_KINDS}. */
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** The facts about a matter, by its kind. */
export type AttentionFacts =
  | ({ readonly kind: "order-alarm" } & OpenAlarm)
  | ({ readonly kind: "refund-abnormal" | "refund-waiting-for-funds" | "refund-overdue" } & Pick<
      Refund,
      "appId" | "bizNo" | "refundNo" | "amount"
    >)
  | ({ readonly kind: "approval-overdue" } & Pick<RefundApproval, "id" | "appId" | "bizNo" | "amount">)
  | ({ readonly kind: "bill-exception" } & Pick<
      BillException,
      "id" | "payChannel" | "day" | "amountThere" | "amountHere"
    > & {
        readonly exception: BillException["kind"];
      })
  | ({
      readonly kind: "bill-days-missing";
      /** The number of days, and the first one, `YYYY-MM-DD`. */
      readonly days: number;
      readonly firstDay: string;
    } & Merchant)
  | ({ readonly kind: "event-parked"; readonly handler: string } & OrderKey)
  | {
      readonly kind: "sms-limit-near";
      readonly scope: SharedScope;
      /** The id of the app, the country or `host`, depending on the scope. */
      readonly subject: string;
      readonly used: number;
      readonly limit: number;
    }
  | ({ readonly kind: "credential-expiring" } & PayToolCredentialExpiry);

/** A matter that needs a person. */
export type AttentionItem = AttentionFacts & {
  /**
   * Identifies the matter, equal in every process.
   *
   * A second alarm of an order, or another kind of matter of a refund, is a new matter.
   */
  readonly key: string;
  /** When the matter began, for example when an approval was requested, epoch milliseconds. */
  readonly since: number;
};
