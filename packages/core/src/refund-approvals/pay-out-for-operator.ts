import { err, ok, type ResultAsync } from "neverthrow";
import { fail, type Failure, type StorageFailure } from "../errors/failure.js";
import { auditEntryIfAny, type Origin } from "../operators/operator-command.js";
import { isSameOperator } from "../operators/is-same-operator.js";
import { eventWith } from "../orders/event-details.js";
import { readEvent } from "../orders/read-event.js";
import { keyOf } from "../orders/order.js";
import type { TimelineEvent } from "../orders/timeline.js";
import type { Ports } from "../ports.js";
import { applyAbnormalRefund, type ApplyAbnormalRefundInput } from "../refunds/apply-abnormal-refund.js";
import type { Refund } from "../refunds/refund.js";
import { whileChanged } from "../refunds/while-changed.js";
import { attempt } from "../shared/attempt.js";
import { readRefundPlan, type RefundPlan } from "./refund-plan.js";
import { refundOfTwo, requireSecondPerson } from "./require-second-person-to-pay-out.js";
import { type SamePersonFailure, whySamePerson } from "./same-person.js";
import type { SettlementPorts } from "./settle-for-operator.js";

/** The ports that {@link payOutForOperator} uses. */
export type PayoutPorts = SettlementPorts & Pick<Ports, "digest">;

/** A request to pay a refund out to a card of the customer. */
type CardPayout = Extract<ApplyAbnormalRefundInput, { readonly payTo: "customer" }>;

/**
 * Pays an ABNORMAL refund out, for an operator of the dashboard.
 *
 * Like `applyAbnormalRefund`. Above `policy.refundApprovalOver`, a payout needs two people. To the
 * merchant's account: another operator than the requester pays the refund out. To a card: two
 * operators must name the same card. The first operator's call pays nothing out. It only stores a
 * mark of the card on the timeline. The card number cannot be found from the mark. The caller
 * checks that the operator sees the app, and has the permission `refund.pay-out`.
 *
 * @param origin - where the command comes from. If it is set, the timeline contains the id of the
 *   operator's change. If the call only recorded the card, the audit log gets an entry.
 * @returns the refund, which is still ABNORMAL while another operator must name the card. Fails
 *   like `applyAbnormalRefund`. A payout to the merchant also fails with `refund-approval.own` if
 *   the operator requested the refund, and with `refund-approval.one-person` during
 *   `policy.approverCoolingOff`.
 * @example
 * ```ts
 * import { applyAbnormalRefundInput, parseInput } from "@tillkit/core";
 * import { payOutForOperator } from "@tillkit/core/operators";
 *
 * const paidOut = await parseInput(applyAbnormalRefundInput(ports.policy), {
 *   bizNo: "order-1001",
 *   refundNo: "return-1",
 *   reason: "card closed",
 *   operator: "alex",
 *   payTo: "merchant",
 * }).asyncAndThen((input) => payOutForOperator(ports, "app_1", input));
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/refund-approvals.md |
 *   A second operator approves large refunds}
 */
export function payOutForOperator(
  ports: PayoutPorts,
  appId: string,
  input: ApplyAbnormalRefundInput,
  origin?: Origin,
): ResultAsync<Refund, Failure | SamePersonFailure> {
  return attempt(async () => {
    const key = { appId, bizNo: input.bizNo };
    const payOut = (seenAt?: number) =>
      applyAbnormalRefund(ports, appId, input, { change: origin?.change?.id, seenAt });
    if (input.payTo === "merchant") {
      const permission = await requireSecondPerson(ports, key, input);
      return permission.isErr() ? err(permission.error) : payOut();
    }
    let isProposed = false;
    return whileChanged<Refund, Failure | SamePersonFailure>(() =>
      attempt(async () => {
        const plan = await readRefundPlan(ports, key);
        if (plan.isErr()) return err(plan.error);
        const refund = refundOfTwo(plan.value, input.refundNo, ports.policy);
        if (refund === undefined) return payOut();
        if (refund.status !== "ABNORMAL") return fail("refund.status-conflict", { status: refund.status });
        const isAgreed = await isNamedByAnother(ports, plan.value, input);
        if (isAgreed.isErr()) return err(isAgreed.error);
        // The agreement is for this version of the refund only. The refund may become ABNORMAL
        // again after a failed payout.
        if (isAgreed.value) return payOut(refund.gmtModified);
        if (isProposed) return ok(refund);
        const proposal = await propose(ports, plan.value, refund, input, origin);
        if (proposal.isErr()) return err(proposal.error);
        // Another operator may have named the same card at the same time, so the loop reads again.
        isProposed = proposal.value;
        return ok("changed" as const);
      }),
    );
  });
}

/** Returns whether the last card that another person named is the card of `input`. */
function isNamedByAnother(
  ports: PayoutPorts,
  { order, timeline }: RefundPlan,
  input: CardPayout,
): ResultAsync<boolean, StorageFailure> {
  return attempt(async () => {
    const marks = ports.digest.keyed(receiverText(order.id, input)).map(receiverMark);
    for (const { operator, receiver } of proposalsOf(timeline, input.refundNo)) {
      if (!marks.includes(receiver)) continue;
      const same = await whySamePerson(ports, operator, input.operator);
      if (same.isErr()) return err(same.error);
      if (same.value === undefined) return ok(true);
    }
    return ok(false);
  });
}

interface Proposal {
  readonly operator: string;
  readonly receiver: string;
}

/** Returns the last card of each operator, named after the refund last became ABNORMAL. */
function proposalsOf(timeline: readonly TimelineEvent[], refundNo: string): readonly Proposal[] {
  let proposals: readonly Proposal[] = [];
  for (const event of timeline) {
    if (event.refundNo !== refundNo) continue;
    if (event.type === "REFUND_ABNORMAL") proposals = [];
    if (event.type !== "REFUND_PAYOUT_PROPOSED") continue;
    const operator = event.actor.replace(/^operator:/, "");
    const { details } = readEvent({ ...event, type: event.type });
    const others = proposals.filter((one) => !isSameOperator(one.operator, operator));
    proposals = details === undefined ? others : [...others, { operator, receiver: details.receiver }];
  }
  return proposals;
}

/** Records that an operator named a card. Stores a mark of the card, not the card itself. */
function propose(
  ports: PayoutPorts,
  { order, seen }: RefundPlan,
  { refundNo, amount }: Refund,
  input: CardPayout,
  origin: Origin | undefined,
): ResultAsync<boolean, StorageFailure> {
  const { operator, reason } = input;
  const [current] = ports.digest.keyed(receiverText(order.id, input));
  const audit = auditEntryIfAny(ports, origin && { ...origin, operator, reason }, {
    action: "refund.pay-out",
    subject: `order:${order.appId}/${order.bizNo}`,
    appId: order.appId,
    detail: JSON.stringify({ refundNo, amount, isProposed: true }),
  });
  const entry = {
    ...eventWith("REFUND_PAYOUT_PROPOSED", { amount, receiver: receiverMark(current) }),
    at: ports.clock.now(),
    actor: `operator:${operator}`,
    reason,
    evidence: `${refundNo} ${String(seen)} ${operator}`,
    alarm: false,
    refundNo,
  };
  return ports.orders.record(keyOf(order), entry, audit);
}

function receiverText(orderId: string, { refundNo, bankType, bankAccount, realName }: CardPayout): string {
  return JSON.stringify(["payout", orderId, refundNo, bankType, bankAccount, realName]);
}

/**
 * Returns the mark of a card from its keyed hash: 16 bits.
 *
 * Another card has the same mark once in 65,536 attempts, and each attempt is on the timeline. The
 * mark does not reveal the card: even with the key, thousands of card numbers of one bank match it.
 */
function receiverMark(keyedHash: string): string {
  return keyedHash.slice(-4);
}
