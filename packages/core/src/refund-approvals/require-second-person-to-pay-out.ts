import { err, ok, type ResultAsync } from "neverthrow";
import type { Failure } from "../errors/failure.js";
import type { OrderKey } from "../orders/order.js";
import type { Ports } from "../ports.js";
import type { Refund } from "../refunds/refund.js";
import { attempt } from "../shared/attempt.js";
import { needsApproval, unapprovedOf } from "./needs-approval.js";
import { readRefundPlan, type RefundPlan } from "./refund-plan.js";
import { type SamePersonFailure, whySamePerson } from "./same-person.js";

/** The ports that {@link requireSecondPerson} uses. */
type SecondPersonPorts = Parameters<typeof readRefundPlan>[0] & Pick<Ports, "operators" | "policy" | "clock">;

/**
 * Fails if the refund needs a second person, and `operator` is the person who requested it.
 *
 * A refund above `policy.refundApprovalOver` needs a second person. A SETTLED refund does not.
 *
 * @returns the `seq` of the last event on the order's timeline. Later events may change the result.
 */
export function requireSecondPerson(
  ports: SecondPersonPorts,
  key: OrderKey,
  { refundNo, operator }: { readonly refundNo: string; readonly operator: string },
): ResultAsync<number, Failure | SamePersonFailure> {
  return attempt(async () => {
    const plan = await readRefundPlan(ports, key);
    if (plan.isErr()) return err(plan.error);
    const { seen } = plan.value;
    const refund = refundOfTwo(plan.value, refundNo, ports.policy);
    if (refund === undefined || refund.status === "SETTLED") return ok(seen);
    const same = await whySamePerson(ports, refund.operator, operator);
    if (same.isErr()) return err(same.error);
    return same.value === undefined ? ok(seen) : err(same.value);
  });
}

/**
 * Returns the refund with this number if it needs two people.
 *
 * The limit applies to the amount plus all other refunds of the order that had no approval.
 */
export function refundOfTwo(
  { refunds, approvals }: Pick<RefundPlan, "refunds" | "approvals">,
  refundNo: string,
  policy: Pick<Ports["policy"], "refundApprovalOver">,
): Refund | undefined {
  const refund = refunds.find((one) => one.refundNo === refundNo);
  const others = refunds.filter((one) => one.refundNo !== refundNo);
  const unapproved = unapprovedOf(others, approvals);
  return refund !== undefined && needsApproval({ unapproved }, refund.amount, policy) ? refund : undefined;
}
