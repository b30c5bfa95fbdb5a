import { ERROR_CATALOG } from "@tillkit/core/errors";
import { ALARM_REMEDIES, PAY_CHANNELS, REFUND_STATUSES, type ServiceEvent } from "@tillkit/core";

/** The labels of one series. */
export type Labels = Readonly<Record<string, string>>;

type Of<T extends ServiceEvent["type"]> = Extract<ServiceEvent, { readonly type: T }>;

/** Returns the members of a closed list. The compiler reports a missing or unknown member. */
function every<T extends string>(members: Readonly<Record<T, true>>): readonly string[] {
  return Object.keys(members);
}

/** Returns each combination of labels. */
function combinations(lists: Readonly<Record<string, readonly string[]>>): readonly Labels[] {
  return Object.entries(lists).reduce<readonly Labels[]>(
    (all, [name, values]) => all.flatMap((labels) => values.map((value) => ({ ...labels, [name]: value }))),
    [{}],
  );
}

const channel = PAY_CHANNELS;

/**
 * The series of each counter whose labels come from closed lists.
 *
 * They start at 0 when the process starts. Otherwise the first event would create the series with
 * 1, an alert would see no increase, and it would not fire.
 */
export const COUNTED_FROM_ZERO: Readonly<Record<string, readonly Labels[]>> = {
  "request.failures": combinations({ failure: [...Object.keys(ERROR_CATALOG), "overload"] }),
  "requests.refused": combinations({
    surface: every<Of<"request.refused">["surface"]>({
      payments: true,
      metrics: true,
      notifications: true,
      receipts: true,
    }),
  }),
  "order.transitions": [
    { from: "PENDING", to: "PAID" },
    { from: "CLOSE", to: "PAID" },
    { from: "PENDING", to: "CLOSE" },
    { from: "PAID", to: "REFUND" },
  ],
  refunds: combinations({ to: REFUND_STATUSES.filter((status) => status !== "SENT") }),
  "refunded.cents": [{}],
  alarms: combinations({ event: Object.keys(ALARM_REMEDIES) }),
  payments: combinations({
    channel,
    source: every<Of<"payment.recorded">["source"]>({ notification: true, query: true }),
  }),
  "notifications.accepted": combinations({
    channel,
    kind: every<Of<"notification.accepted">["kind"]>({ payment: true, refund: true }),
  }),
  "notifications.failed": combinations({ channel }),
  "notifications.refused": combinations({
    channel,
    reason: every<Of<"notification.refused">["reason"]>({
      malformed: true,
      unverified: true,
      stale: true,
      probe: true,
      "unknown-account": true,
      "unknown-order": true,
      mismatch: true,
      unconfirmed: true,
    }),
  }),
  bills: combinations({ channel, outcome: ["compared", "not-ready", "not-compared"] }),
  "sms.limits": combinations({
    scope: every<Of<"sms.limit-near">["scope"]>({
      "sms-app": true,
      "sms-country": true,
      "sms-host": true,
      "wrong-codes-app": true,
    }),
  }),
  "sms.receipts": combinations({
    carrier: every<Of<"sms.reported">["carrier"]>({ aliyun: true, tencent: true, twilio: true }),
    outcome: every<Of<"sms.reported">["outcome"]>({ delivered: true, undelivered: true }),
  }),
};

/** The outcomes of counters whose other labels are names that the host chooses. */
export const OUTCOMES = {
  "task.steps": ["ok", "failed"],
  events: ["delivered", "failed", "parked"],
  alerts: ["sent", "refused", "rate-limited", "unreachable", "unknown"],
} as const;
