import type { MadeRefund, Refund } from "@tillkit/core";
import { type Failure, fail } from "@tillkit/core/errors";
import type { RefundApprovalFailure } from "@tillkit/core/operators";
import type { BillException, RefundApproval } from "@tillkit/core/ports";
import { ok, type Result } from "neverthrow";
import { type CommandResult, table, timeText } from "./answer.js";
import { type CliFailure, coreFailure, failure } from "./failure.js";
import { wholeNumber } from "./numbers.js";
import { refundAnswer } from "./refund-answer.js";
import { amountText } from "./amount-text.js";

const TITLES = [
  "ID",
  "REQUESTED",
  "APP",
  "BIZ NO",
  "REFUND NO",
  "AMOUNT",
  "BY",
  "REASON",
  "STATE",
  "DECIDED BY",
];

/** Builds the answer for a page of refunds that need a second operator. */
export function approvalsAnswer(approvals: readonly RefundApproval[], state: string): CommandResult {
  const rows = approvals.map((approval) => {
    const { id, requestedAt, appId, bizNo, refundNo, amount, requestedBy, reason, decidedBy } = approval;
    const failureText = approval.failure === undefined ? "" : `, not made: ${approval.failure}`;
    return [
      id,
      timeText(requestedAt),
      appId,
      bizNo,
      refundNo,
      { cents: amount },
      requestedBy,
      reason,
      approval.state + failureText,
      decidedBy ?? "-",
    ];
  });
  return {
    data: { approvals },
    text: table(TITLES, rows, `No refund is ${state}.`),
  };
}

/**
 * Builds the answer for a refund that waits for approval.
 *
 * The exit code is 1, because nothing was refunded.
 */
export function waitingAnswer(approval: RefundApproval): CommandResult {
  const { id, refundNo, amount } = approval;
  return {
    data: { approval },
    text: `Refund ${refundNo} of ${amountText(amount)} waits for the approval of another operator, and nothing was refunded. The other operator runs \`tillkit refunds approve ${id}\`, or uses the dashboard.`,
    finding: true,
  };
}

/** Builds the answer for a rejection, or an approved refund that must wait for another refund. */
export function decidedAnswer(approval: RefundApproval): CommandResult {
  const { id, refundNo, amount, state } = approval;
  const next =
    state === "APPROVED"
      ? " Another refund of the order is in progress. The hosts make this refund when the other one has ended."
      : "";
  return {
    data: { approval },
    text: `The refund ${refundNo} of ${amountText(amount)} (${id}) is ${state}.${next}`,
  };
}

/** Builds the answer for a refund. Fails if the wallet gave no definite response. */
export function madeRefundAnswer({ outcome, refund }: MadeRefund): Result<CommandResult, CliFailure> {
  return outcome === "unknown"
    ? fail("refund.outcome-unknown").mapErr(coreFailure)
    : ok(refundAnswer(refund));
}

/** The option that confirms that the operator knows what others have started for the order. */
export const SEEN = [
  "--seen <number>",
  "the number that the command printed when it refused, because others have started something for the order",
  wholeNumber,
] as const;

/** Converts a failure of the functions about approvals. */
export function approvalFailure(problem: Failure | RefundApprovalFailure): CliFailure {
  switch (problem.name) {
    case "refund.over-support-limit":
      return failure("refused", problem.name, "Your role may not refund this amount: ask finance.");
    case "refund-approval.not-found":
      return failure(
        "refused",
        problem.name,
        "There is no refund with this id to approve. `tillkit refunds approvals` lists the waiting refunds.",
      );
    case "refund-approval.own":
      return failure(
        "refused",
        problem.name,
        "You requested this refund yourself. Another operator must decide.",
      );
    case "refund.unseen-activity":
      return unseenFailure(problem.activity);
    case "refund-approval.one-person":
      return failure(
        "refused",
        problem.name,
        `Both accounts could belong to one person: one of them gave the other its rights, or one operator gave both their rights. Another operator must decide, or this one after ${timeText(problem.until)}.`,
      );
    case "refund-approval.decided":
      return failure(
        "refused",
        problem.name,
        "Somebody has decided about this refund. `tillkit refunds approvals --state REJECTED` lists rejected refunds.",
      );
    case "refund-approval.rejected":
      return failure(
        "refused",
        problem.name,
        "Another operator rejected the refund with this number. To refund, use another --refund-no.",
      );
    default:
      return coreFailure(problem);
  }
}

/**
 * What others have started for an order, with the members that the message of the failure shows.
 */
export interface ShownActivity {
  readonly seen: number;
  readonly approvals: readonly Pick<RefundApproval, "refundNo" | "amount" | "requestedBy" | "state">[];
  readonly refunds: readonly Pick<Refund, "refundNo" | "amount" | "operator" | "status">[];
  readonly alarms: readonly { readonly type: string }[];
  readonly exceptions: readonly Pick<BillException, "kind" | "day">[];
}

/** Creates the failure of a refund that was not made, because others have started something. */
export function unseenFailure({ approvals, refunds, alarms, exceptions, seen }: ShownActivity): CliFailure {
  const open = [
    ...approvals.map(
      ({ refundNo, amount, requestedBy, state }) =>
        `request ${refundNo} of ${amountText(amount)} by ${requestedBy} (${state})`,
    ),
    ...refunds.map(
      ({ refundNo, amount, operator, status }) =>
        `refund ${refundNo} of ${amountText(amount)} by ${operator} (${status})`,
    ),
    ...alarms.map(({ type }) => `alarm ${type}`),
    ...exceptions.map(({ kind, day }) => `bill exception ${kind} of ${day}`),
  ];
  const what = open.length === 0 ? "Nothing of it is open now." : `Open now: ${open.join("; ")}.`;
  return failure(
    "refused",
    "refund.unseen-activity",
    `Others have started something for this order, and nothing was refunded now. ${what} Read \`tillkit orders explain\`. If you still want this, repeat the command with --seen ${String(seen)}.`,
  );
}
