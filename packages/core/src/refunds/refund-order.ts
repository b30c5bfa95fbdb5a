import { ok, type ResultAsync } from "neverthrow";
import { z } from "zod";
import { fail, type FailureOf } from "../errors/failure.js";
import { bizNo } from "../orders/order.js";
import { complain, line, perPolicy } from "../shared/input.js";
import { newId } from "../shared/random.js";
import { steps } from "../shared/steps.js";
import type { Ports } from "../ports.js";
import { noticeRefund, pursueRefund, type RefundPorts } from "./pursue-refund.js";
import type { Refund } from "./refund.js";

/** What an operator says to refund an order: who, why, and how much (cents; all that is left when absent). */
export const refundOrderInput = perPolicy((policy) =>
  z
    .object({
      bizNo: bizNo(policy.maxBizNoLength),
      amount: z.int(complain("positive-cents")).min(1, complain("positive-cents")).optional(),
      reason: line(80),
      operator: line(64),
    })
    .brand<"RefundOrderInput">(),
);
/** A valid request to refund: what `parseInput(refundOrderInput(policy), …)` returns. */
export type RefundOrderInput = z.output<ReturnType<typeof refundOrderInput>>;

/** Why nothing was refunded, or why it is not known. */
export type RefundOrderFailure = FailureOf<
  | "order.not-found"
  | "order.not-paid"
  | "order.refunded"
  | "refund.exceeds-remaining"
  | "refund.in-progress"
  | "refund.rejected"
  | "refund.outcome-unknown"
  | "pay-tool.not-configured"
  | "storage.unavailable"
>;

/**
 * Sends money back, for an operator. The refund is written down under a number of its own before the wallet is called, and keeps that number until the wallet
 * gives a definite answer: after `refund.outcome-unknown` the reconciler pursues it, and nobody should refund in another way. One at a
 * time per order, never more than was paid. It returns CONFIRMED, or SENT when the wallet has taken it and will report the end.
 * Source: BEHAVIOUR, "Orders", refunds.
 */
export function refundOrder(
  ports: RefundPorts & Pick<Ports, "random">,
  appId: string,
  input: RefundOrderInput,
): ResultAsync<Refund, RefundOrderFailure> {
  return steps(async function* () {
    const key = { appId, bizNo: input.bizNo };
    const order = yield* ports.orders.find(key);
    if (order === undefined) return fail("order.not-found");
    if (order.paymentStatus === "REFUND") return fail("order.refunded");
    const now = ports.clock.now();
    const { reason, operator } = input;
    const amount = input.amount ?? order.amount - order.refundedAmount;
    const draft: Refund = {
      ...key,
      refundNo: newId(ports),
      amount,
      reason,
      operator,
      status: "REQUESTED",
      nextTryAt: now + ports.policy.workLease,
      gmtCreate: now,
      gmtModified: now,
    };
    const requested = yield* ports.refunds.request(draft, {
      type: "REFUND_REQUESTED",
      at: now,
      actor: `operator:${operator}`,
      reason: `refund ${draft.refundNo} of ${String(amount)} cents: ${reason}`,
      evidence: draft.refundNo,
      alarm: false,
    });
    switch (requested.kind) {
      case "no-order":
        return fail("order.not-found");
      case "not-paid":
        return fail("order.not-paid");
      case "in-progress":
        return fail("refund.in-progress");
      case "exceeds-remaining":
        return fail("refund.exceeds-remaining", {
          remaining: requested.order.amount - requested.order.refundedAmount,
        });
      case "requested":
        noticeRefund(ports, requested.order, requested.refund, "REQUESTED");
        break;
    }
    const { refund, definite } = yield* pursueRefund(ports, requested.order, requested.refund);
    if (refund.status === "FAILED") return fail("refund.rejected");
    return definite ? ok(refund) : fail("refund.outcome-unknown");
  });
}
