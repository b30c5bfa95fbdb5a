import { err, ok, type ResultAsync } from "neverthrow";
import type { Failure } from "../errors/failure.js";
import { onePersonUntil } from "../operators/operator-grant.js";
import { isSameOperator } from "../operators/operator.js";
import type { OrderKey } from "../orders/order.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import type { SamePersonFailure } from "./decision.js";
import { failApproval } from "./refund-approval-failure.js";
import { needsApproval, readRefundPlan, unapprovedOf } from "./refund-plan.js";

/** The ports that {@link requireSecondPerson} uses. */
type SecondPersonPorts = Parameters<typeof readRefundPlan>[0] & Pick<Ports, "operators" | "policy" | "clock">;

/**
 * Fails if a refund above `policy.refundApprovalOver` takes another person than `operator`.
 *
 * The limit applies to the amount plus all other refunds of the order that had no approval. A
 * SETTLED refund needs no person any more.
 */
export function requireSecondPerson(
  ports: SecondPersonPorts,
  key: OrderKey,
  { refundNo, operator }: { readonly refundNo: string; readonly operator: string },
): ResultAsync<void, Failure | SamePersonFailure> {
  return attempt(async () => {
    const read = await readRefundPlan(ports, key);
    if (read.isErr()) return err(read.error);
    const { refunds, approvals } = read.value;
    const refund = refunds.find((one) => one.refundNo === refundNo);
    const others = refunds.filter((one) => one.refundNo !== refundNo);
    const unapproved = unapprovedOf(others, approvals);
    const isLarge = refund !== undefined && needsApproval({ unapproved }, refund.amount, ports.policy);
    if (!isLarge || refund.status === "SETTLED") return ok(undefined);
    const { operator: requester } = refund;
    if (isSameOperator(requester, operator)) return failApproval("refund-approval.own");
    const accounts = await ports.operators.list();
    if (accounts.isErr()) return err(accounts.error);
    const { approverCoolingOff } = ports.policy;
    const until = onePersonUntil(
      accounts.value,
      [requester, operator],
      approverCoolingOff,
      ports.clock.now(),
    );
    if (until !== undefined) return err({ name: "refund-approval.one-person", until } as const);
    return ok(undefined);
  });
}
