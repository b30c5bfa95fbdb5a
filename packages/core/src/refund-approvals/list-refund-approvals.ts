import type { ResultAsync } from "neverthrow";
import * as z from "zod";
import type { StorageFailure } from "../errors/failure.js";
import type { Operator } from "../operators/operator.js";
import type { Ports } from "../ports.js";
import { issue, lazySchema, singleLineText } from "../shared/input.js";
import { listNotMade } from "./list-not-made.js";
import { REFUND_APPROVAL_STATES, type RefundApproval } from "./refund-approval.js";

/** The parameters of {@link listRefundApprovals}: states, WAITING by default, and a page. */
export const listRefundApprovalsInput = lazySchema(() =>
  z
    .object({
      states: z.array(z.enum(REFUND_APPROVAL_STATES, issue("shape"))).default(["WAITING"]),
      requestedBy: singleLineText(64).optional(),
      notMade: z.boolean().optional(),
      before: z.object({ requestedAt: z.int(), id: singleLineText(64) }).optional(),
      limit: z.int().min(1).max(1_000).default(20),
    })
    .brand<"ListRefundApprovalsInput">(),
);
/** Valid parameters: the result of `parseInput(listRefundApprovalsInput(), …)`. */
export type ListRefundApprovalsInput = z.output<ReturnType<typeof listRefundApprovalsInput>>;

/**
 * Lists the refunds that need a second operator, the latest request first.
 *
 * With `notMade`, lists only approved refunds that could not be made. A refund leaves this list
 * when an operator acknowledges its alarm. Examines the latest 1,000 approved refunds that could
 * not be made.
 *
 * @returns a page of approvals of the apps that the operator sees. Pass the last approval as
 *   `before` to get the next page.
 * @example
 * ```ts
 * import { parseInput } from "@tillkit/core";
 * import { listRefundApprovals, listRefundApprovalsInput } from "@tillkit/core/operators";
 *
 * const operator = { apps: ["app_1"] };
 * const waiting = await parseInput(listRefundApprovalsInput(), {}).asyncAndThen((input) =>
 *   listRefundApprovals(ports, operator, input),
 * );
 * ```
 */
export function listRefundApprovals(
  ports: Pick<Ports, "refundApprovals" | "orders" | "orderSearch">,
  { apps }: Pick<Operator, "apps">,
  { states, requestedBy, notMade, before, limit }: ListRefundApprovalsInput,
): ResultAsync<readonly RefundApproval[], StorageFailure> {
  const query = { states, requestedBy, apps, before, limit };
  return notMade === true ? listNotMade(ports, query) : ports.refundApprovals.list(query);
}
