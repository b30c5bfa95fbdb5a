import { err, ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { fail, type FailureOf, isStorageFailure, type StorageFailure } from "../errors/failure.js";
import { auditEntryIfAny, type Origin } from "../operators/operator-command.js";
import { eventWith } from "../orders/event-details.js";
import { keyOf, storedBizNo } from "../orders/order.js";
import { attempt } from "../shared/attempt.js";
import { nonBlankText, perPolicy } from "../shared/input.js";
import { walletFailure } from "../wallets/call-wallet.js";
import { emitRefundMoved } from "./emit-refund-moved.js";
import { findRefund } from "./find-refund.js";
import { queryAndApplyRefund } from "./process-refund.js";
import { isAcceptedRefund, isOpenRefund, type Refund } from "./refund.js";
import type { RefundPorts } from "./refund-call.js";
import { refundNumber } from "./refund-number.js";

/** Operator's request to withdraw a refund. */
export const withdrawRefundInput = perPolicy(() =>
  z
    .object({
      bizNo: storedBizNo(),
      refundNo: refundNumber(),
      reason: nonBlankText(200),
      operator: nonBlankText(64),
    })
    .brand<"WithdrawRefundInput">(),
);
/** A valid withdrawal: the result of `parseInput(withdrawRefundInput(policy), …)`. */
export type WithdrawRefundInput = z.output<ReturnType<typeof withdrawRefundInput>>;

/** Reasons why a refund was not withdrawn. */
export type WithdrawRefundFailure =
  | ReturnType<typeof walletFailure>
  | FailureOf<
      | "order.not-found"
      | "refund.not-found"
      | "refund.status-conflict"
      | "refund.outcome-unknown"
      | "pay-tool.not-configured"
    >
  | StorageFailure;

/**
 * Ends an open refund that the wallet does not have. Its number is never sent again.
 *
 * Queries the wallet first. Only its signed answer counts: that it has no refund with the number,
 * or, at Alipay, that it has not made the refund and expects the same request again. A refund that
 * is being sent meanwhile is not withdrawn. The amount of a withdrawn refund is no longer reserved,
 * so that it can be refunded under a new number. To pay the customer by other means, settle the
 * refund instead ({@link settleRefund}): a settlement never releases the amount.
 *
 * @example
 * ```ts
 * import { parseInput, withdrawRefund, withdrawRefundInput } from "@tillkit/core";
 *
 * const withdrawn = await parseInput(withdrawRefundInput(ports.policy), {
 *   bizNo: "order-1001",
 *   refundNo: "return-1",
 *   reason: "the customer keeps the goods",
 *   operator: "alex",
 * }).asyncAndThen((input) => withdrawRefund(ports, appId, input));
 * ```
 * @param origin - where the command comes from. With it, the audit log gets an entry in the same
 *   transaction.
 * @returns the WITHDRAWN refund. Fails with `refund.status-conflict` if the wallet has the refund
 *   or it has ended, and with `refund.outcome-unknown` while a call that sends it may be under way.
 * @see {@link
 *   https://github.com/tillkit/tillkit/blob/main/docs/decisions/refunds-outside-tillkit.md |
 *   The record follows the wallet}
 */
export function withdrawRefund(
  ports: RefundPorts,
  appId: string,
  input: WithdrawRefundInput,
  origin?: Origin,
): ResultAsync<Refund, WithdrawRefundFailure> {
  return attempt(async () => {
    const found = await findRefund(ports, appId, input);
    if (found.isErr()) return found;
    const { order, refund } = found.value;
    const { refundNo, reason, operator } = input;
    if (refund.status === "WITHDRAWN") return ok(refund);
    if (!isOpenRefund(refund) || isAcceptedRefund(refund))
      return fail("refund.status-conflict", { status: refund.status });
    const queriedAt = ports.clock.now();
    if ((refund.sendingUntil ?? 0) > queriedAt) return fail("refund.outcome-unknown");
    const queried = await queryAndApplyRefund(ports, order, refund);
    if (queried.isErr()) {
      const { error } = queried;
      if (isStorageFailure(error) || error.name === "pay-tool.not-configured") return err(error);
      return err(walletFailure(order.payChannel, error));
    }
    const { stated, refund: current } = queried.value;
    if (stated !== undefined && stated.sendAgain !== true)
      return fail("refund.status-conflict", { status: current.status });
    const at = ports.clock.now();
    const by = origin && { ...origin, operator, reason };
    const audit = auditEntryIfAny(ports, by, {
      action: "refund.withdraw",
      subject: `order:${appId}/${order.bizNo}`,
      appId,
      detail: JSON.stringify({ refundNo, amount: refund.amount }),
    });
    const entry = {
      ...eventWith("REFUND_WITHDRAWN", { amount: refund.amount }),
      at,
      actor: `operator:${operator}`,
      reason,
      evidence: refundNo,
      alarm: false,
      refundNo,
    };
    const result = await ports.refunds.withdraw(keyOf(order), refundNo, { at, queriedAt, entry }, audit);
    if (result.isErr()) return result;
    const withdrawn = result.value;
    switch (withdrawn?.kind) {
      case undefined:
        return fail("refund.not-found");
      case "withdrawn":
        emitRefundMoved(ports, withdrawn, "WITHDRAWN");
        return ok(withdrawn.refund);
      case "sending":
        return fail("refund.outcome-unknown");
      case "not-allowed": {
        const { status } = withdrawn.refund;
        return status === "WITHDRAWN" ? ok(withdrawn.refund) : fail("refund.status-conflict", { status });
      }
    }
  });
}
