import type { Mutant } from "../mutant.js";
const NEEDS_APPROVAL = "packages/core/src/refund-approvals/needs-approval.ts";
const REQUEST = "packages/core/src/refund-approvals/request-refund.ts";
const CONTINUE = "packages/core/src/refund-approvals/continue-approved.ts";
const REFUSED = "packages/core/src/refund-approvals/refused-decision.ts";
const SQL_STORE = "packages/postgres/src/refund-approvals/refund-approval-store.ts";
const STORE = "packages/memory/src/refund-approvals/refund-approval-store.ts";
const REFUND_STORE = "packages/memory/src/refunds/refund-store.ts";
const STATEMENTS = "packages/postgres/src/refund-approvals/refund-approval-statements.ts";
const REFUND_STATEMENTS = "packages/postgres/src/refunds/refund-statements.ts";

/** Mutants of the limits of operators, and of the second operator who approves. */
export const REFUND_APPROVALS: readonly Mutant[] = [
  {
    name: "limit-passed-in-parts",
    guards: "the refunds of an order without an approval count towards the limit",
    file: NEEDS_APPROVAL,
    find: "unapproved + amount > refundApprovalOver",
    replace: "Math.min(0, unapproved) + amount > refundApprovalOver",
    needsContract: true,
  },
  {
    name: "limit-passed-at-the-same-time",
    guards: "two concurrent refunds do not pass the limit together",
    file: "packages/core/src/refunds/refund-order.ts",
    find: "ports.refunds.request(refund, entry, record.seen)",
    replace: "ports.refunds.request(refund, entry)",
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
    find: "await Promise.all(approvals.value.map((approval) => continueApproved(ports, approval)));",
    replace: "",
    needsContract: true,
  },
  {
    name: "own-refund-approved",
    guards: "nobody decides about the own request",
    file: "packages/core/src/refund-approvals/same-person.ts",
    find: 'if (isSameOperator(first, second)) return { name: "refund-approval.own" };',
    replace: "",
  },
  {
    name: "two-accounts-of-one-person",
    guards: "nobody decides with an account that the requester controls",
    file: REFUSED,
    find: 'if (same !== undefined) return { kind: "one-person", approval, until: same.until };',
    replace: "",
  },
  {
    name: "refund-decided-twice",
    guards: "a decision about a refund is final",
    file: REFUSED,
    find: 'if (state !== "WAITING") return { kind: "not-waiting", approval };',
    replace: "",
  },
  {
    name: "approval-of-a-changed-order",
    guards: "nobody approves without knowing what others have started",
    file: REFUSED,
    find: "seen === undefined || seen === context.seq",
    replace: "seen === undefined || seen <= context.seq",
  },
  {
    name: "request-of-a-changed-order",
    guards: "nobody requests an approval without knowing what others have started",
    file: STORE,
    find: 'if (seen !== undefined && stored.timeline.length !== seen) return { kind: "changed" };',
    replace: "",
  },
  {
    name: "sql-request-of-a-changed-order",
    guards: "nobody requests an approval without knowing what others have started",
    file: SQL_STORE,
    find: "if (seen !== undefined && seen !== order.seq)",
    replace: "if (seen !== undefined && seen > order.seq)",
  },
  {
    name: "sql-accounts-not-locked",
    guards: "no account changes while its operator decides",
    file: STATEMENTS,
    find: "order by name for update",
    replace: "order by name",
    onlyHere: "the storage in memory has no concurrent transactions",
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
    find: "is null or ${last} = $${place})`",
    replace: "is null or ${last} > 0)`",
  },
];
