import { err, ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { fail, type FailureOf, isStorageFailure, type StorageFailureName } from "../errors/failure.js";
import { auditEntryIfAny, type Origin } from "../operators/operator-command.js";
import { eventWith } from "../orders/event-details.js";
import { bizNo, keyOf } from "../orders/order.js";
import { nonBlankText, perPolicy } from "../shared/input.js";
import { attempt } from "../shared/attempt.js";
import { refundedInFullEntry } from "./refunded-in-full-entry.js";
import { findRefund } from "./find-refund.js";
import { emitRefundMoved } from "./emit-refund-moved.js";
import { queryAndApplyRefund } from "./process-refund.js";
import type { RefundPorts } from "./refund-call.js";
import type { Refund } from "./refund.js";
import { refundNumber } from "./refund-number.js";

/** Operator's request to settle a refund. `reason` describes how the customer was paid. */
export const settleRefundInput = perPolicy((policy) =>
  z
    .object({
      bizNo: bizNo(policy.maxBizNoLength),
      refundNo: refundNumber(),
      reason: nonBlankText(200),
      operator: nonBlankText(64),
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
  | StorageFailureName
>;

/**
 * Records that the merchant paid the customer of an ABNORMAL or FAILED refund by other means.
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
 *   `refund.outcome-unknown` if the wallet is processing a FAILED refund, and with
 *   `refund.exceeds-remaining` if another refund has used the money.
 * @see {@link
 *   https://github.com/tillkit/tillkit/blob/main/docs/decisions/abnormal-and-settled-refunds.md |
 *   An abnormal refund waits for the merchant, who pays it out or settles it}
 */
export function settleRefund(
  ports: RefundPorts,
  appId: string,
  input: SettleRefundInput,
  origin?: Origin,
): ResultAsync<Refund, SettleRefundFailure> {
  return attempt(async () => {
    const found = await findRefund(ports, appId, input);
    if (found.isErr()) return found;
    const { order, refund } = found.value;
    if (refund.status === "ABNORMAL" || refund.status === "FAILED") {
      const result = await queryAndApplyRefund(ports, order, refund);
      if (result.isErr() && isStorageFailure(result.error)) return err(result.error);
      // The wallet is refunding it. Recording another payment now would pay the customer twice.
      const stated = result.isOk() ? result.value.stated : undefined;
      if (refund.status === "FAILED" && stated?.state === "PROCESSING" && stated.sendAgain !== true)
        return fail("refund.outcome-unknown");
    }
    const { refundNo, reason, operator } = input;
    const proof = { at: ports.clock.now(), actor: `operator:${operator}` } as const;
    const by = origin && { ...origin, operator, reason };
    const audit = auditEntryIfAny(ports, by, {
      action: "refund.settle",
      ...{ subject: `order:${appId}/${order.bizNo}`, appId },
      detail: JSON.stringify({ refundNo, amount: refund.amount }),
    });
    const settlement = {
      at: proof.at,
      entry: {
        ...proof,
        ...eventWith("REFUND_SETTLED", { amount: refund.amount }),
        reason,
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
      case "exceeds-remaining":
        return fail("refund.exceeds-remaining", { remaining: settled.remaining });
    }
  });
}
