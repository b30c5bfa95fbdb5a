import {
  applyAbnormalRefund,
  applyAbnormalRefundInput,
  parseInput,
  refundOrder,
  refundOrderInput,
  settleRefund,
  settleRefundInput,
} from "@tillkit/core";
import type { Environment } from "./environment.js";
import type { PlannedRefund } from "./week-plan.js";

const WHO = { operator: "han", reason: "the customer asked for it" };

/**
 * Requests a refund as an operator. Returns the status of the refund, or the name of the failure.
 */
export async function askForRefund(
  { ports, appId }: Environment,
  { bizNo, refundNo, amount }: Pick<PlannedRefund, "bizNo" | "refundNo" | "amount">,
): Promise<string> {
  const result = parseInput(refundOrderInput(ports.policy), { bizNo, refundNo, amount, ...WHO });
  const outcome = await refundOrder(ports, appId, result._unsafeUnwrap());
  return outcome.isOk() ? outcome.value.status : outcome.error.name;
}

/**
 * Redirects an ABNORMAL refund to the merchant, or settles it, as an operator.
 *
 * Returns the status of the refund, or the name of the failure.
 */
export async function actOnAbnormal(
  { ports, appId }: Environment,
  { bizNo, refundNo }: Pick<PlannedRefund, "bizNo" | "refundNo">,
  how: "applies" | "settles",
): Promise<string> {
  const which = { bizNo, refundNo, ...WHO };
  const outcome =
    how === "applies"
      ? await applyAbnormalRefund(
          ports,
          appId,
          parseInput(applyAbnormalRefundInput(ports.policy), { ...which, payTo: "merchant" })._unsafeUnwrap(),
        )
      : await settleRefund(ports, appId, parseInput(settleRefundInput(ports.policy), which)._unsafeUnwrap());
  return outcome.isOk() ? outcome.value.status : outcome.error.name;
}
