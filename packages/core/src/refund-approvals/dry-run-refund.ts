import { err, ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { fail } from "../errors/failure.js";
import { findOrderAccount } from "../pay-tools/find-order-account.js";
import type { PayChannel } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { refundInputShape } from "../refunds/refund-input-shape.js";
import { walletRefundRequest } from "../refunds/refund-call.js";
import { attempt } from "../shared/attempt.js";
import { singleLineTextOrEmpty, perPolicy } from "../shared/input.js";
import type { WalletRequestText } from "../wallets/wallet.js";
import { orderActivity, type OrderActivity } from "./order-activity.js";
import { failApproval, type RefundApprovalFailure } from "./refund-approval-failure.js";
import { needsApproval } from "./needs-approval.js";
import {
  isInProgress,
  readRefundPlan,
  type RefundCheckFailure,
  refundableAmount,
  type RefundPlan,
} from "./refund-plan.js";

/** The parameters of {@link dryRunRefund}: those of a refund, with an optional reason. */
export const dryRunRefundInput = perPolicy(() =>
  z
    .object({
      ...refundInputShape(),
      reason: singleLineTextOrEmpty(80),
    })
    .brand<"DryRunRefundInput">(),
);
/** Valid parameters: the result of `parseInput(dryRunRefundInput(policy), …)`. */
export type DryRunRefundInput = z.output<ReturnType<typeof dryRunRefundInput>>;

/** What a refund would do. Amounts are cents. */
export interface RefundDryRun {
  readonly amount: number;
  /**
   * The cents of the order that are not refunded, not reserved by a stored open refund, and in no
   * unrecorded refund that a bill lists.
   */
  readonly remaining: number;
  readonly remainingAfter: number;
  readonly needsApproval: boolean;
  readonly payChannel: PayChannel;
  /** What others have started for the order, and the `seq` of its last event. */
  readonly activity: OrderActivity;
  /** The request that the wallet would get. Absent if the adapter has no `describeRefund`. */
  readonly walletRequest?: WalletRequestText;
}

/** Why the refund would fail. */
export type DryRunRefundFailure = RefundCheckFailure | RefundApprovalFailure<"refund-approval.rejected">;

/**
 * Shows what a refund would do, and changes nothing.
 *
 * Calls no wallet. If a refund or approval with the number is stored, the result shows its amount.
 *
 * @returns the amounts before and after, and the request that the wallet would get. Fails like
 *   `refundOrder` if the refund could not be made, and with `refund-approval.rejected`.
 * @example
 * ```ts
 * import { parseInput } from "@tillkit/core";
 * import { dryRunRefund, dryRunRefundInput } from "@tillkit/core/operators";
 *
 * const refund = { bizNo: "order-1001", refundNo: "return-1", amount: 250 };
 * const shown = await parseInput(dryRunRefundInput(ports.policy), refund).asyncAndThen((input) =>
 *   dryRunRefund(ports, "app_1", input),
 * );
 * ```
 */
export function dryRunRefund(
  ports: Pick<Ports, "orders" | "refundApprovals" | "payTools" | "wallets" | "policy">,
  appId: string,
  { bizNo, refundNo, amount: wantedAmount, reason }: DryRunRefundInput,
): ResultAsync<RefundDryRun, DryRunRefundFailure> {
  return attempt(async () => {
    const plan = await readRefundPlan(ports, { appId, bizNo });
    if (plan.isErr()) return plan;
    const record = storedRecord(plan.value, refundNo);
    if (record !== undefined && wantedAmount !== undefined && wantedAmount !== record.amount)
      return fail("refund-no.conflict", { amount: record.amount });
    if (record?.state === "REJECTED") return failApproval("refund-approval.rejected");
    const isStored = plan.value.refunds.some((one) => one.refundNo === refundNo);
    const amount = isStored
      ? ok(record?.amount ?? 0)
      : refundableAmount(plan.value, record?.amount ?? wantedAmount);
    if (amount.isErr()) return amount;
    if (!isStored && isInProgress(plan.value)) return fail("refund.in-progress");
    const { order, remaining } = plan.value;
    const refund = { refundNo, amount: amount.value, reason: record?.reason ?? reason ?? refundNo };
    // An imported order may have no pay tool. Then there is no request to describe.
    const account = await findOrderAccount(ports, order);
    if (account.isErr() && account.error.name !== "pay-tool.not-configured") return err(account.error);
    const description = account.isErr()
      ? undefined
      : ports.wallets[order.payChannel].describeRefund?.(account.value, walletRefundRequest(order, refund));
    return ok({
      amount: amount.value,
      remaining,
      remainingAfter: isStored ? remaining : remaining - amount.value,
      needsApproval:
        record === undefined
          ? needsApproval(plan.value, amount.value, ports.policy)
          : record.state === "WAITING",
      payChannel: order.payChannel,
      activity: orderActivity(plan.value, refundNo),
      ...(description === undefined ? {} : { walletRequest: description }),
    });
  });
}

/** Returns the stored refund or approval with the number. A stored refund has no `state`. */
function storedRecord({ refunds, approvals }: RefundPlan, refundNo: string) {
  const refund = refunds.find((one) => one.refundNo === refundNo);
  if (refund !== undefined) return { amount: refund.amount, reason: refund.reason, state: undefined };
  const approval = approvals.find((one) => one.refundNo === refundNo);
  return approval && { amount: approval.amount, reason: approval.reason, state: approval.state };
}
