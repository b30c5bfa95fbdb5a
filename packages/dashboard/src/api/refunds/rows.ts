import type { MadeRefund, Refund } from "@tillkit/core";
import { type OrderActivity, refundRemedies, refundSentence } from "@tillkit/core/operators";
import { isSameOperator, type RefundApproval } from "@tillkit/core/ports";
import type * as z from "zod";
import { operatorName } from "../command-of.js";
import type { refundRow } from "../orders/schemas.js";
import type { RouteContext } from "../route-context.js";
import type { approvalRow } from "./approval-row.js";
import type { activitySchema, refundOfOrderSchema } from "./schemas.js";
import type { ListedRefund } from "./with-channels.js";

/** Returns the row of an approval. */
export function approvalRowOf(
  context: Pick<RouteContext, "identified">,
  { nextTryAt: _next, ...approval }: RefundApproval,
): z.output<typeof approvalRow> {
  return { ...approval, mine: isSameOperator(approval.requestedBy, operatorName(context)) };
}

/** Returns the row of a refund. */
function refundRowOf(
  { ports, language }: Pick<RouteContext, "ports" | "language">,
  refund: Refund,
): z.output<typeof refundRow> {
  const { appId: _app, bizNo: _bizNo, ...facts } = refund;
  const when = { timeZone: ports.policy.timeZone, now: ports.clock.now() };
  return {
    ...facts,
    sentence: refundSentence(refund, when, language),
    remedies: refundRemedies(refund),
  };
}

/** Returns the row of a refund with the key of its order. */
export function refundOfOrderRow(
  context: Pick<RouteContext, "ports" | "language">,
  { payChannel, ...refund }: ListedRefund,
): z.output<typeof refundOfOrderSchema> {
  const { appId, bizNo } = refund;
  const channel = payChannel === undefined ? {} : { payChannel };
  return { appId, bizNo, ...channel, ...refundRowOf(context, refund) };
}

/** Returns a refund and what is known about it. */
export function madeOf(context: RouteContext, { outcome, refund }: MadeRefund) {
  return { outcome, refund: refundRowOf(context, refund) };
}

/** Returns what others have started for an order. */
export function activityOf({
  seen,
  approvals,
  refunds,
  alarms,
  exceptions,
}: OrderActivity): z.output<typeof activitySchema> {
  return {
    seen,
    approvals: approvals.map(({ refundNo, amount, reason, requestedBy, requestedAt, state }) => ({
      refundNo,
      amount,
      reason,
      requestedBy,
      requestedAt,
      state,
    })),
    refunds: refunds.map(({ refundNo, amount, reason, operator, gmtCreate, status }) => ({
      refundNo,
      amount,
      reason,
      operator,
      gmtCreate,
      status,
    })),
    alarms: alarms.map(({ seq, type, at }) => ({ seq, type, at })),
    exceptions: exceptions.map(({ id, kind, day, amountThere, amountHere }) => ({
      id,
      kind,
      day,
      ...(amountThere === undefined ? {} : { amountThere }),
      ...(amountHere === undefined ? {} : { amountHere }),
    })),
  };
}
