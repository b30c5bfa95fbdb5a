import { err, ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { fail, type FailureOf, isStorageFailure, type StorageFailureName } from "../errors/failure.js";
import { auditEntryIfAny, type Origin } from "../operators/operator-command.js";
import { eventWith } from "../orders/event-details.js";
import { storedBizNo } from "../orders/biz-no.js";
import { keyOf } from "../orders/order.js";
import { nonBlankText, perPolicy } from "../shared/input.js";
import { attempt } from "../shared/attempt.js";
import { refundedInFullEntry } from "./refunded-in-full.js";
import { findRefund } from "./find-refund.js";
import { emitRefundMoved } from "./emit-refund-moved.js";
import { queryAndApplyRefund } from "./process-refund.js";
import type { SendRefundPorts } from "./refund-call.js";
import { fitsBesideSettlement } from "./remaining.js";
import { isAcceptedRefund, isOpenRefund, type Refund } from "./refund.js";
import { refundNumber } from "./refund-number.js";

/**
 * Operator's request to settle a refund. `reason` describes how the customer was paid.
 *
 * `evidence` describes what proves the outcome, such as a line of the wallet's console. It is
 * required for a REQUESTED, SENT or WAITING_FOR_FUNDS refund if the wallet gives no signed answer,
 * or has no record of a refund that it had accepted.
 */
export const settleRefundInput = perPolicy(() =>
  z
    .object({
      bizNo: storedBizNo(),
      refundNo: refundNumber(),
      reason: nonBlankText(200),
      operator: nonBlankText(64),
      evidence: nonBlankText(200).optional(),
    })
    .brand<"SettleRefundInput">(),
);
/** A valid settlement request: the result of `parseInput(settleRefundInput(policy), …)`. */
export type SettleRefundInput = z.output<ReturnType<typeof settleRefundInput>>;

/** Reasons why a refund was not settled. */
export type SettleRefundFailure = FailureOf<
  | "order.not-found"
  | "refund.not-found"
  | "refund.status-conflict"
  | "refund.outcome-unknown"
  | "refund.exceeds-remaining"
  | "refund.in-progress"
  | "parameter.missing"
  | StorageFailureName
>;

/**
 * Records that the merchant pays the customer of a refund by other means.
 *
 * Settle first, then pay: until the settlement, another refund or a retry may use the money. One
 * atomic step ends the refund and counts its amount, so no other refund can use the amount in
 * between. The wallet never gets the number of the refund again.
 *
 * Moves no money. The amount counts as refunded: if the whole amount is refunded
 * (`isRefundedInFull`), the order becomes REFUND, and its service time is revoked. Queries the
 * wallet first. A refund that the wallet processes or has made is not settled.
 *
 * An ABNORMAL, FAILED or WITHDRAWN refund can be settled, even if the wallet does not answer. Any
 * other open refund can be settled if the wallet signs that it has not made the refund. The wallet
 * may give no signed answer, for example because the merchant's keys were revoked, or may have no
 * record of a refund that it had accepted. Then `evidence` is required, and the refund must have
 * been in its status for `policy.refundOverdue`.
 *
 * If the wallet confirms the refund later, an alarm reports a possible double payment. Safe to
 * retry: a refund is settled once.
 *
 * @example
 * ```ts
 * import { parseInput, settleRefund, settleRefundInput } from "@tillkit/core";
 *
 * const settled = await parseInput(settleRefundInput(ports.policy), {
 *   bizNo: "order-1001",
 *   refundNo: "return-1",
 *   reason: "paid by bank transfer",
 *   operator: "alex",
 * }).asyncAndThen((input) => settleRefund(ports, appId, input));
 * ```
 * @param origin - where the command comes from. With it, the audit log gets an entry in the same
 *   transaction.
 * @param seen - the `seq` of the last event on the order's timeline. If it is set and the timeline
 *   has grown since, nothing is settled.
 * @returns the SETTLED refund. Fails with `refund.status-conflict` if the status does not allow a
 *   settlement, and with `refund.outcome-unknown` if the wallet may still make the refund. Fails
 *   with `refund.exceeds-remaining` if another refund has used the money, even one that only a bill
 *   lists. Also fails with `refund.exceeds-remaining` if a bill lists this refund while it is
 *   FAILED, WITHDRAWN or ABNORMAL. Fails with `refund.in-progress` if the timeline has grown since
 *   `seen`, and with `parameter.missing` if `evidence` is required and absent.
 * @see {@link
 *   https://github.com/tillkit/tillkit/blob/main/docs/decisions/abnormal-and-settled-refunds.md |
 *   An abnormal refund waits for the merchant}
 */
export function settleRefund(
  ports: SendRefundPorts,
  appId: string,
  input: SettleRefundInput,
  origin?: Origin,
  seen?: number,
): ResultAsync<Refund, SettleRefundFailure> {
  return attempt(async () => {
    const lookup = await findRefund(ports, appId, input);
    if (lookup.isErr()) return lookup;
    const { order, refund } = lookup.value;
    const queriedAt = ports.clock.now();
    const isPending = isOpenRefund(refund) && refund.status !== "ABNORMAL";
    let isUnproven = false;
    if (isOpenRefund(refund) && (refund.sendingUntil ?? 0) > queriedAt) return mayBeSending(refund);
    if (refund.status !== "CONFIRMED" && refund.status !== "SETTLED") {
      const result = await queryAndApplyRefund(ports, order, refund);
      if (result.isErr() && isStorageFailure(result.error)) return err(result.error);
      const statement = result.isOk() ? result.value.stated : undefined;
      // The wallet processes the refund. A payment by other means would pay the customer twice.
      if (result.isOk() && statement?.state === "PROCESSING" && statement.sendAgain !== true) {
        const { refund: current } = result.value;
        return isOpenRefund(current)
          ? fail("refund.status-conflict", { status: current.status })
          : fail("refund.outcome-unknown");
      }
      // If the wallet has accepted the refund, a missing record proves nothing.
      const isUnanswered = result.isErr() || (statement === undefined && isAcceptedRefund(refund));
      if (isUnanswered && isPending) {
        // The wallet may have the refund: only time and an operator's evidence can replace its
        // answer.
        if (queriedAt - refund.gmtModified < ports.policy.refundOverdue)
          return fail("refund.outcome-unknown");
        if (input.evidence === undefined) return fail("parameter.missing", { parameter: "evidence" });
        isUnproven = true;
      }
      // The query may have taken long, and other refunds may have moved in the meantime.
      const refunds = await ports.refunds.list(keyOf(order));
      if (refunds.isErr()) return refunds;
      const record = { order, refunds: refunds.value };
      const beside = await fitsBesideSettlement(ports, record, refund, "settle");
      if (beside.isErr()) return beside;
      if (!beside.value.fits) return fail("refund.exceeds-remaining", { remaining: beside.value.remaining });
    }
    const { refundNo, reason, operator, evidence } = input;
    const proof = { at: ports.clock.now(), actor: `operator:${operator}` } as const;
    const by = origin && { ...origin, operator, reason };
    const audit = auditEntryIfAny(ports, by, {
      action: "refund.settle",
      subject: `order:${appId}/${order.bizNo}`,
      appId,
      detail: JSON.stringify({ refundNo, amount: refund.amount }),
    });
    const settlement = {
      at: proof.at,
      queriedAt,
      ...(seen === undefined ? {} : { seen }),
      entry: {
        ...proof,
        ...eventWith("REFUND_SETTLED", {
          amount: refund.amount,
          ...(isUnproven ? { isUnproven } : {}),
        }),
        // A person wrote `reason` and `evidence`, so both are stored as the reason, which can be
        // erased.
        reason: evidence === undefined ? reason : `${reason}; ${evidence}`,
        evidence: refundNo,
        alarm: false,
        refundNo,
      },
      refundedEntry: refundedInFullEntry({ ...proof, evidence: refundNo, refundNo }),
    } as const;
    const outcome = await ports.refunds.settle(keyOf(order), refundNo, settlement, audit);
    if (outcome.isErr()) return outcome;
    switch (outcome.value?.kind) {
      case undefined:
        return fail("refund.not-found");
      case "settled":
        emitRefundMoved(ports, outcome.value, "SETTLED");
        return ok(outcome.value.refund);
      case "not-allowed": {
        const { status } = outcome.value.refund;
        return status === "SETTLED" ? ok(outcome.value.refund) : fail("refund.status-conflict", { status });
      }
      case "sending":
        return mayBeSending(outcome.value.refund);
      case "changed":
        return fail("refund.in-progress");
      case "exceeds-remaining":
        return fail("refund.exceeds-remaining", { remaining: outcome.value.remaining });
    }
  });
}

/** Returns the failure of a settlement while a call that sends the refund may still run. */
function mayBeSending(refund: Refund) {
  return isAcceptedRefund(refund) && refund.status !== "ABNORMAL"
    ? fail("refund.status-conflict", { status: refund.status })
    : fail("refund.outcome-unknown");
}
