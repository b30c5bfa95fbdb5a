import { err, ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { fail, type FailureOf, isStorageFailure, type StorageFailureName } from "../errors/failure.js";
import { auditEntryIfAny, type Origin } from "../operators/operator-command.js";
import { eventWith } from "../orders/event-details.js";
import { keyOf, storedBizNo } from "../orders/order.js";
import { nonBlankText, perPolicy } from "../shared/input.js";
import { attempt } from "../shared/attempt.js";
import { refundedInFullEntry } from "./refunded-in-full-entry.js";
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
 * required if the wallet does not answer about an open refund.
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
  | "parameter.missing"
  | StorageFailureName
>;

/**
 * Records that the merchant pays the customer of a refund by other means.
 *
 * Settle first, then pay: until the settlement, another refund or a retry may use the money. One
 * step ends the refund and counts its amount. In between, no other refund can use the amount of an
 * open refund, and the wallet never gets its number again.
 *
 * An ABNORMAL, FAILED or WITHDRAWN refund can be settled at once. Another open refund can be
 * settled if the wallet signs that it has not made it. If the wallet cannot be asked, for example
 * because the merchant's keys were revoked, it takes `evidence` and `policy.refundOverdue`.
 *
 * Moves no money. The amount counts as refunded: if the whole amount is refunded
 * (`isRefundedInFull`), the order becomes REFUND, and its service time is revoked. Queries the
 * wallet first, so that a refund that the wallet has made after all is not settled. If the wallet
 * does not answer, the settlement is recorded anyway. If the wallet confirms the refund later, an
 * alarm reports a possible double payment. Safe to retry: a refund is settled once.
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
 * @returns the SETTLED refund. Fails with `refund.status-conflict` in any other status, with
 *   `refund.outcome-unknown` if the wallet may still make the refund, and with
 *   `refund.exceeds-remaining` if another refund has used the money, also one that a bill lists and
 *   the record does not have yet.
 * @see {@link
 *   https://github.com/tillkit/tillkit/blob/main/docs/decisions/abnormal-and-settled-refunds.md |
 *   An abnormal refund waits for the merchant}
 */
export function settleRefund(
  ports: SendRefundPorts,
  appId: string,
  input: SettleRefundInput,
  origin?: Origin,
): ResultAsync<Refund, SettleRefundFailure> {
  return attempt(async () => {
    const found = await findRefund(ports, appId, input);
    if (found.isErr()) return found;
    const { order, refund } = found.value;
    const queriedAt = ports.clock.now();
    const isPending = isOpenRefund(refund) && refund.status !== "ABNORMAL";
    let isUnproven = false;
    if (isOpenRefund(refund) && (refund.sendingUntil ?? 0) > queriedAt) return mayBeSending(refund);
    if (refund.status !== "CONFIRMED" && refund.status !== "SETTLED") {
      const result = await queryAndApplyRefund(ports, order, refund);
      if (result.isErr() && isStorageFailure(result.error)) return err(result.error);
      // The wallet is refunding it. Recording another payment now would pay the customer twice.
      const stated = result.isOk() ? result.value.stated : undefined;
      const isProcessing = stated?.state === "PROCESSING" && stated.sendAgain !== true;
      if (isProcessing && refund.status !== "ABNORMAL")
        return isOpenRefund(refund)
          ? fail("refund.status-conflict", { status: refund.status })
          : fail("refund.outcome-unknown");
      if (result.isErr() && isPending) {
        // The wallet may have it: only time and a person's evidence can replace its answer.
        if (queriedAt - refund.gmtModified < ports.policy.refundOverdue)
          return fail("refund.outcome-unknown");
        if (input.evidence === undefined) return fail("parameter.missing", { parameter: "evidence" });
        isUnproven = true;
      }
      const beside = await fitsBesideSettlement(ports, order, refund, "settle");
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
      entry: {
        ...proof,
        ...eventWith("REFUND_SETTLED", {
          amount: refund.amount,
          ...(isUnproven ? { isUnproven } : {}),
        }),
        // Both are what a person wrote, so both can be erased.
        reason: evidence === undefined ? reason : `${reason}; ${evidence}`,
        evidence: refundNo,
        alarm: false,
        refundNo,
      },
      refundedEntry: refundedInFullEntry({ ...proof, evidence: refundNo, refundNo }),
    } as const;
    const settledResult = await ports.refunds.settle(keyOf(order), refundNo, settlement, audit);
    if (settledResult.isErr()) return settledResult;
    const settled = settledResult.value;
    switch (settled?.kind) {
      case undefined:
        return fail("refund.not-found");
      case "settled":
        emitRefundMoved(ports, settled, "SETTLED");
        return ok(settled.refund);
      case "not-allowed": {
        const { status } = settled.refund;
        return status === "SETTLED" ? ok(settled.refund) : fail("refund.status-conflict", { status });
      }
      case "sending":
        return mayBeSending(settled.refund);
      case "exceeds-remaining":
        return fail("refund.exceeds-remaining", { remaining: settled.remaining });
    }
  });
}

/** Returns the failure of a settlement while a call that sends the refund may be under way. */
function mayBeSending(refund: Refund) {
  return isAcceptedRefund(refund) && refund.status !== "ABNORMAL"
    ? fail("refund.status-conflict", { status: refund.status })
    : fail("refund.outcome-unknown");
}
