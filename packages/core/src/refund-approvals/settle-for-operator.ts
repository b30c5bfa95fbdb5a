import { err, ok, type ResultAsync } from "neverthrow";
import type { Failure } from "../errors/failure.js";
import type { Origin } from "../operators/operator-command.js";
import type { Ports } from "../ports.js";
import type { SendRefundPorts } from "../refunds/refund-call.js";
import type { Refund } from "../refunds/refund.js";
import { settleRefund, type SettleRefundInput } from "../refunds/settle-refund.js";
import { whileChanged } from "../refunds/while-changed.js";
import type { SamePersonFailure } from "./same-person.js";
import { requireSecondPerson } from "./require-second-person-to-pay-out.js";

/** The ports that {@link settleForOperator} uses. */
export type SettlementPorts = SendRefundPorts & Pick<Ports, "refundApprovals" | "operators">;

/**
 * Records that the merchant pays the customer of a refund by other means, for a dashboard operator.
 *
 * Like `settleRefund`. Above `policy.refundApprovalOver`, a settlement needs two people: one
 * operator requests the refund, and another one settles it. The limit applies to the amount plus
 * all other refunds of the order that had no approval. If such a refund was added since the check,
 * the store settles nothing, and the check runs again. The caller checks that the operator sees the
 * app, and has the permission `refund.settle`.
 *
 * @returns the SETTLED refund. Fails like `settleRefund`, with `refund-approval.own` if the
 *   operator requested the refund, and with `refund-approval.one-person` during
 *   `policy.approverCoolingOff`.
 * @example
 * ```ts
 * import { parseInput, settleRefundInput } from "@tillkit/core";
 * import { settleForOperator } from "@tillkit/core/operators";
 *
 * const asked = { bizNo: "order-1001", refundNo: "return-1", reason: "in cash", operator: "han" };
 * const settled = await parseInput(settleRefundInput(ports.policy), asked).asyncAndThen((input) =>
 *   settleForOperator(ports, "app_1", input, { from: "192.0.2.1", traceId: "" }),
 * );
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/refund-approvals.md |
 *   A second operator approves large refunds}
 */
export function settleForOperator(
  ports: SettlementPorts,
  appId: string,
  input: SettleRefundInput,
  origin: Origin,
): ResultAsync<Refund, Failure | SamePersonFailure> {
  return whileChanged<Refund, Failure | SamePersonFailure>(() =>
    requireSecondPerson(ports, { appId, bizNo: input.bizNo }, input).andThen((seen) =>
      settleRefund(ports, appId, input, origin, seen).orElse((failure) =>
        failure.name === "refund.in-progress" ? ok("changed" as const) : err(failure),
      ),
    ),
  );
}
