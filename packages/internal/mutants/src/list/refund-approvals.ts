import type { Mutant } from "../mutant.js";
const PLAN = "packages/core/src/refund-approvals/refund-plan.ts";
const REQUEST = "packages/core/src/refund-approvals/request-refund.ts";
const CONTINUE = "packages/core/src/refund-approvals/continue-approved.ts";
const STORE = "packages/memory/src/refund-approval-store.ts";
const REFUND_STORE = "packages/memory/src/refund-store.ts";
const STATEMENTS = "packages/postgres/src/refund-approval-statements.ts";
const REFUND_STATEMENTS = "packages/postgres/src/refund-statements.ts";

/** Mutants of the limits of operators, and of the second operator who approves. */
export const REFUND_APPROVALS: readonly Mutant[] = [
  {
    name: "limit-passed-in-parts",
    guards: "the refunds of an order without an approval count towards the limit",
    file: PLAN,
    find: "unapproved + amount > refundApprovalOver",
    replace: "Math.min(0, unapproved) + amount > refundApprovalOver",
    needsContract: true,
  },
  {
    name: "limit-passed-at-the-same-time",
    guards: "two concurrent refunds do not pass the limit together",
    file: REQUEST,
    find: "makeKnownRefund(ports, appId, draft, { seen: plan.seen })",
    replace: "makeKnownRefund(ports, appId, draft)",
    needsContract: true,
  },
  {
    name: "support-without-limit",
    guards: "support refunds only up to its limit",
    file: REQUEST,
    find: "amount > supportRefundLimit;",
    replace: "amount > 2 * amount + supportRefundLimit;",
    needsContract: true,
  },
  {
    name: "approved-refund-forgotten",
    guards: "an approved refund is made although its process died",
    file: CONTINUE,
    find: "await Promise.all(claimed.value.map((approval) => continueApproved(ports, approval)));",
    replace: "",
    needsContract: true,
  },
  {
    name: "own-refund-approved",
    guards: "nobody decides about the own request",
    file: STORE,
    find: 'if (before.requestedBy === decision.operator) return { kind: "own", approval: before };',
    replace: "",
  },
  {
    name: "sql-own-refund-approved",
    guards: "nobody decides about the own request",
    file: STATEMENTS,
    find: "and requested_by <> $4 returning",
    replace: "returning",
  },
  {
    name: "refund-decided-twice",
    guards: "a decision about a refund is final",
    file: STORE,
    find: 'if (before.state !== "WAITING") return { kind: "not-waiting", approval: before };',
    replace: "",
  },
  {
    name: "sql-refund-decided-twice",
    guards: "a decision about a refund is final",
    file: STATEMENTS,
    find: "and state = 'WAITING' and requested_by",
    replace: "and requested_by",
  },
  {
    name: "refund-of-a-changed-order",
    guards: "a refund that depends on the end of the timeline is stored only there",
    file: REFUND_STORE,
    find: 'if (seen !== undefined && held.timeline.length !== seen) return { kind: "changed", order };',
    replace: "",
  },
  {
    name: "sql-refund-of-a-changed-order",
    guards: "a refund that depends on the end of the timeline is stored only there",
    file: REFUND_STATEMENTS,
    find: "is null or timeline_seq = $${place})`",
    replace: "is null or timeline_seq > 0)`",
  },
];
