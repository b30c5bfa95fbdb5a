import { ok, type ResultAsync } from "neverthrow";
import { billDay } from "../bills/bill-day.js";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import type { OpenAlarm } from "../operations/order-search.js";
import { openAlarms } from "../orders/open-alarms.js";
import { attempt } from "../shared/attempt.js";
import type { PayToolCredentialExpiry } from "../wallets/wallet.js";
import { ATTENTION_KINDS, type AttentionItem } from "./attention.js";
import { readSmsLimits } from "./read-sms-limits.js";
import { listMissingBillDays, type MissingBillDayPorts } from "../operations/list-missing-bill-days.js";

/** The ports that {@link readAttention} uses. */
export type AttentionPorts = MissingBillDayPorts &
  Pick<Ports, "orderSearch" | "refundApprovals" | "eventDeliveries" | "quotas">;

/**
 * Reads what needs a person, from the stored data.
 *
 * It does not matter which process, command or operator caused a matter, or when. A matter is
 * absent once it is dealt with. If a refund is listed, alarms about this refund are left out.
 *
 * @param expiries - when the credentials expire, as {@link readCredentialExpiries} returns it.
 * @param atMost - the largest number of records that each query returns. It limits the cost.
 * @returns the matters, by kind in the order of {@link ATTENTION_KINDS}, then the oldest first.
 * @example
 * ```ts
 * import { readAttention, readCredentialExpiries } from "@tillkit/core";
 *
 * const items = await readCredentialExpiries(ports).andThen(({ expiries }) =>
 *   readAttention(ports, expiries),
 * );
 * if (items.isOk()) for (const { kind, since } of items.value) console.log(kind, since);
 * ```
 */
export function readAttention(
  ports: AttentionPorts,
  expiries: readonly PayToolCredentialExpiry[],
  atMost = 500,
): ResultAsync<readonly AttentionItem[], StorageFailure> {
  return attempt(async () => {
    const { policy } = ports;
    const now = ports.clock.now();
    const refunds = await readRefunds(ports, now, atMost);
    if (refunds.isErr()) return refunds;
    const alarms = await ports.orderSearch.alarms(undefined, atMost);
    if (alarms.isErr()) return alarms;
    const waiting = await ports.refundApprovals.list({
      states: ["WAITING"],
      before: { requestedAt: now - policy.approvalOverdue + 1, id: "" },
      limit: atMost,
    });
    if (waiting.isErr()) return waiting;
    const exceptions = await ports.billExceptions.list({
      state: "OPEN",
      before: { gmtCreate: now - policy.billExceptionOverdue + 1, id: "" },
      limit: atMost,
    });
    if (exceptions.isErr()) return exceptions;
    const missing = await listMissingBillDays(ports);
    if (missing.isErr()) return missing;
    const deliveries = await ports.eventDeliveries.list({ state: "parked", limit: atMost });
    if (deliveries.isErr()) return deliveries;
    const smsLimitsNear = await readSmsLimits(ports, atMost);
    if (smsLimitsNear.isErr()) return smsLimitsNear;
    const otherAlarms = await notAboutRefunds(ports, alarms.value, refunds.value);
    if (otherAlarms.isErr()) return otherAlarms;
    const items: readonly AttentionItem[] = [
      ...otherAlarms.value.map((alarm) => ({
        ...alarm,
        kind: "order-alarm" as const,
        key: keyText("order-alarm", alarm.appId, alarm.bizNo, alarm.seq),
        since: alarm.at,
      })),
      ...refunds.value,
      ...waiting.value.map(({ id, appId, bizNo, amount, requestedAt }) => ({
        kind: "approval-overdue" as const,
        key: keyText("approval-overdue", id),
        since: requestedAt,
        id,
        appId,
        bizNo,
        amount,
      })),
      ...exceptions.value.items.map(
        ({ id, kind: exception, payChannel, day, amountThere, amountHere, gmtCreate }) => ({
          kind: "bill-exception" as const,
          key: keyText("bill-exception", id),
          since: gmtCreate,
          id,
          exception,
          payChannel,
          day,
          ...(amountThere === undefined ? {} : { amountThere }),
          ...(amountHere === undefined ? {} : { amountHere }),
        }),
      ),
      ...missing.value.flatMap(({ days, ...merchant }) => {
        const [firstDay] = days;
        if (firstDay === undefined) return [];
        return [
          {
            ...merchant,
            kind: "bill-days-missing" as const,
            key: keyText("bill-days-missing", merchant.payChannel, merchant.appEnv, merchant.accountId),
            since: billDay(firstDay).endsAt,
            days: days.length,
            firstDay,
          },
        ];
      }),
      ...deliveries.value.map(({ appId, bizNo, handler, parkedAt = now }) => ({
        kind: "event-parked" as const,
        key: keyText("event-parked", handler, appId, bizNo),
        since: parkedAt,
        appId,
        bizNo,
        handler,
      })),
      ...smsLimitsNear.value.map(({ scope, subject, period, startsAt, used, limit }) => ({
        kind: "sms-limit-near" as const,
        key: keyText("sms-limit-near", scope, subject, period),
        since: startsAt,
        scope,
        subject,
        used,
        limit,
      })),
      ...expiries
        .filter(({ expiresAt }) => expiresAt <= now + policy.credentialWarning)
        .slice(0, atMost)
        .map((expiry) => ({
          ...expiry,
          kind: "credential-expiring" as const,
          key: keyText("credential-expiring", expiry.payToolId, expiry.name, expiry.expiresAt),
          since: expiry.expiresAt - policy.credentialWarning,
        })),
    ];
    return ok(items.toSorted((left, right) => rankOf(left) - rankOf(right) || left.since - right.since));
  });
}

/**
 * Returns, for each order, the newest open alarm that is not about one of the `refunds`.
 *
 * @param alarms - the newest open alarm of each order.
 */
function notAboutRefunds(
  ports: Pick<Ports, "orders">,
  alarms: readonly OpenAlarm[],
  refunds: readonly RefundItem[],
): ResultAsync<readonly OpenAlarm[], StorageFailure> {
  return attempt(async () => {
    const listed = new Set(refunds.map(({ appId, bizNo, refundNo }) => keyText(appId, bizNo, refundNo)));
    const others: OpenAlarm[] = [];
    for (const alarm of alarms) {
      const { appId, bizNo } = alarm;
      const isOther = ({ refundNo }: Pick<OpenAlarm, "refundNo">) =>
        refundNo === undefined || !listed.has(keyText(appId, bizNo, refundNo));
      if (isOther(alarm)) {
        others.push(alarm);
        continue;
      }
      const timeline = await ports.orders.timeline({ appId, bizNo });
      if (timeline.isErr()) return timeline;
      const older = openAlarms(timeline.value).findLast(isOther);
      if (older === undefined) continue;
      const { seq, type, at, refundNo } = older;
      others.push({ appId, bizNo, seq, type, at, ...(refundNo === undefined ? {} : { refundNo }) });
    }
    return ok(others);
  });
}

type RefundItem = AttentionItem & {
  readonly kind: "refund-abnormal" | "refund-waiting-for-funds" | "refund-overdue";
};

/** The open statuses of a refund, each with the kind of the matter. */
const REFUND_KINDS = [
  ["ABNORMAL", "refund-abnormal"],
  ["WAITING_FOR_FUNDS", "refund-waiting-for-funds"],
  ["REQUESTED", "refund-overdue"],
  ["SENT", "refund-overdue"],
] as const;

function readRefunds(
  ports: Pick<Ports, "refunds" | "policy">,
  now: number,
  atMost: number,
): ResultAsync<readonly RefundItem[], StorageFailure> {
  return attempt(async () => {
    const items: RefundItem[] = [];
    for (const [status, kind] of REFUND_KINDS) {
      const latest = kind === "refund-overdue" ? now - ports.policy.refundOverdue : now;
      // A refund never enters its status before its creation, so an overdue refund was created at
      // `latest` or before.
      const before = { gmtCreate: latest + 1, appId: "", bizNo: "", refundNo: "" };
      const page = await ports.refunds.search({ status, before, limit: atMost });
      if (page.isErr()) return page;
      for (const { appId, bizNo, refundNo, amount, gmtModified } of page.value.items)
        if (gmtModified <= latest)
          items.push({
            kind,
            appId,
            bizNo,
            refundNo,
            amount,
            key: keyText(kind, appId, bizNo, refundNo),
            since: gmtModified,
          });
    }
    return ok(items);
  });
}

function rankOf({ kind }: AttentionItem): number {
  return ATTENTION_KINDS.indexOf(kind);
}

function keyText(...parts: readonly (string | number)[]): string {
  return JSON.stringify(parts);
}
