import { err, ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { fail, type FailureOf, isStorageFailure, type StorageFailure } from "../errors/failure.js";
import { auditEntryIfAny, type Origin } from "../operators/operator-command.js";
import { eventWith } from "../orders/event-details.js";
import { storedBizNo } from "../orders/biz-no.js";
import { keyOf, type Order } from "../orders/order.js";
import { attempt } from "../shared/attempt.js";
import { nonBlankText, perPolicy } from "../shared/input.js";
import { walletFailure } from "../wallets/call-wallet.js";
import { emitRefundMoved } from "./emit-refund-moved.js";
import { findRefund } from "./find-refund.js";
import { queryAndApplyRefund } from "./process-refund.js";
import { isSendable } from "./is-sendable.js";
import type { Refund } from "./refund.js";
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
 * Ends an open refund that the wallet does not have. The refund's number is never sent again.
 *
 * Queries the wallet first. The wallet must sign that it has no refund with the number. At Alipay,
 * a signed answer that the refund was not made and that the same request is expected again is also
 * enough. If the wallet gives no signed answer, the CONFIRMED refunds of the order can prove the
 * same: they leave less than the amount of this refund. A refund that is being sent is not
 * withdrawn.
 *
 * The amount of a withdrawn refund is no longer reserved. It can be refunded under a new number. To
 * pay the customer by other means, settle the refund instead (`settleRefund`): a settlement never
 * releases the amount.
 *
 * @example
 * ```ts
 * import { parseInput } from "@tillkit/core";
 * import { withdrawRefund, withdrawRefundInput } from "@tillkit/core/operators";
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
 *   or the refund has ended, and with `refund.outcome-unknown` while a call that sends it may still
 *   run.
 * @see {@link
 *   https://github.com/tillkit/tillkit/blob/main/docs/decisions/refunds-outside-tillkit.md |
 *   Refund records follow the wallet's answers}
 */
export function withdrawRefund(
  ports: RefundPorts,
  appId: string,
  input: WithdrawRefundInput,
  origin?: Origin,
): ResultAsync<Refund, WithdrawRefundFailure> {
  return attempt(async () => {
    const lookup = await findRefund(ports, appId, input);
    if (lookup.isErr()) return lookup;
    const { order, refund } = lookup.value;
    const { refundNo, reason, operator } = input;
    if (refund.status === "WITHDRAWN") return ok(refund);
    if (!isSendable(refund)) return fail("refund.status-conflict", { status: refund.status });
    const queriedAt = ports.clock.now();
    if ((refund.sendingUntil ?? 0) > queriedAt) return fail("refund.outcome-unknown");
    const answer = await queryAndApplyRefund(ports, order, refund);
    const isInferred = answer.isErr();
    if (answer.isErr()) {
      const { error } = answer;
      if (isStorageFailure(error)) return err(error);
      const impossible = await exceedsAtWallet(ports, order, refund);
      if (impossible.isErr()) return impossible;
      if (!impossible.value)
        return err(error.name === "pay-tool.not-configured" ? error : walletFailure(order.payChannel, error));
    } else {
      const { stated, refund: current } = answer.value;
      if (stated !== undefined && stated.sendAgain !== true)
        return fail("refund.status-conflict", { status: current.status });
    }
    const at = ports.clock.now();
    const by = origin && { ...origin, operator, reason };
    const audit = auditEntryIfAny(ports, by, {
      action: "refund.withdraw",
      subject: `order:${appId}/${order.bizNo}`,
      appId,
      detail: JSON.stringify({ refundNo, amount: refund.amount, ...(isInferred ? { isInferred } : {}) }),
    });
    const entry = {
      ...eventWith("REFUND_WITHDRAWN", { amount: refund.amount, ...(isInferred ? { isInferred } : {}) }),
      at,
      actor: `operator:${operator}`,
      reason,
      evidence: refundNo,
      alarm: false,
      refundNo,
    };
    const outcome = await ports.refunds.withdraw(keyOf(order), refundNo, { at, queriedAt, entry }, audit);
    if (outcome.isErr()) return outcome;
    switch (outcome.value?.kind) {
      case undefined:
        return fail("refund.not-found");
      case "withdrawn":
        emitRefundMoved(ports, outcome.value, "WITHDRAWN");
        return ok(outcome.value.refund);
      case "sending":
        return fail("refund.outcome-unknown");
      case "not-allowed": {
        const { status } = outcome.value.refund;
        return status === "WITHDRAWN" ? ok(outcome.value.refund) : fail("refund.status-conflict", { status });
      }
    }
  });
}

/**
 * Returns whether the confirmed refunds prove that the wallet cannot have made this refund.
 *
 * A wallet never refunds more than it received for an order.
 */
function exceedsAtWallet(
  { refunds }: Pick<RefundPorts, "refunds">,
  order: Order,
  { amount }: Refund,
): ResultAsync<boolean, StorageFailure> {
  return refunds.list(keyOf(order)).map((listed) => {
    const confirmed = listed.filter(({ status }) => status === "CONFIRMED");
    return confirmed.reduce((cents, one) => cents + one.amount, amount) > order.amount;
  });
}
