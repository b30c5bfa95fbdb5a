import type { OrderKey } from "@tillkit/core";
import {
  isSameOperator,
  type ApprovalDecision,
  type ApprovalDecisionResult,
  type ApprovalRequestOutcome,
  refusedDecision,
  type RefundApproval,
  type RefundApprovalStore,
  type RefundKey,
} from "@tillkit/core/ports";
import { auditChange } from "../audit/audit-log.js";
import { openExceptionsOf } from "../bills/bill-exception-store.js";
import { readStoredRecord } from "../refunds/refund-store.js";
import { longestDue } from "../state/due-work.js";
import { frozen } from "../state/frozen.js";
import { compareText, compositeKey, type MemoryState } from "../state/memory-state.js";
import { findStoredOrder } from "../orders/order-store.js";
import { runAtomically } from "../state/run-atomically.js";
import { append } from "../timeline/timeline.js";

/** Creates a `RefundApprovalStore` in memory. */
export function memoryRefundApprovalStore(state: MemoryState): RefundApprovalStore {
  const { refundApprovals: held, operators } = state;
  const put = (approval: RefundApproval): RefundApproval => {
    const stored = frozen(approval);
    held.set(keyOf(stored), stored);
    return stored;
  };
  const approved = (key: RefundKey): RefundApproval | undefined => {
    const approval = held.get(keyOf(key));
    return approval?.state === "APPROVED" ? approval : undefined;
  };
  const ofOrder = ({ appId, bizNo }: OrderKey) =>
    [...held.values()]
      .filter((approval) => approval.appId === appId && approval.bizNo === bizNo)
      .sort((left, right) =>
        left.requestedAt === right.requestedAt
          ? compareText(left.refundNo, right.refundNo)
          : left.requestedAt - right.requestedAt,
      );
  const visible = (apps: readonly string[] | undefined) =>
    [...held.values()].filter(({ appId }) => apps === undefined || apps.includes(appId));
  return {
    request: (approval, entry, seen, audit) =>
      runAtomically((): ApprovalRequestOutcome => {
        const stored = findStoredOrder(state, approval);
        if (stored === undefined) return { kind: "no-order" };
        const before = held.get(keyOf(approval));
        if (before !== undefined) return { kind: "held", approval: before };
        if (seen !== undefined && stored.timeline.length !== seen) return { kind: "changed" };
        // `auditChange` throws if the change already has an outcome, so no write may precede it.
        auditChange(state, audit);
        append(state, stored, entry);
        return { kind: "requested", approval: put(approval) };
      }),
    find: (wanted) => runAtomically(() => [...held.values()].find(({ id }) => id === wanted)),
    listOfOrder: (key) => runAtomically(() => ofOrder(key)),
    readRefundFacts: (key, mostExceptions) =>
      runAtomically(() => {
        const record = readStoredRecord(state, key);
        if (record === undefined) return undefined;
        const exceptions = openExceptionsOf(state, record.order.id).slice(0, mostExceptions);
        return { ...record, approvals: ofOrder(key), exceptions };
      }),
    decide: (key, decision, entry, audit) =>
      runAtomically((): ApprovalDecisionResult | undefined => {
        const before = held.get(keyOf(key));
        const stored = findStoredOrder(state, key);
        if (before === undefined || stored === undefined) return undefined;
        const accounts = [...operators.values()];
        const refused = refusedDecision(before, decision, { accounts, seq: stored.timeline.length });
        if (refused !== undefined) return refused;
        // `auditChange` throws if the change already has an outcome, so no write may precede it.
        auditChange(state, audit);
        append(state, stored, entry);
        return { kind: "decided", approval: put({ ...before, ...decidedBy(decision) }) };
      }),
    list: ({ states, requestedBy, notMade, apps, before, limit }) =>
      runAtomically(() =>
        visible(apps)
          .filter((approval) => states.includes(approval.state))
          .filter(
            (approval) => requestedBy === undefined || isSameOperator(approval.requestedBy, requestedBy),
          )
          .filter((approval) => notMade !== true || approval.failure !== undefined)
          .filter((approval) => before === undefined || latestFirst(before, approval) < 0)
          .sort(latestFirst)
          .slice(0, limit),
      ),
    countWaiting: (apps, atMost) =>
      runAtomically(() =>
        Math.min(atMost, visible(apps).filter(({ state: current }) => current === "WAITING").length),
      ),
    claimDue: (now, limit, lease) =>
      runAtomically(() => {
        const due = [...held.values()].map((approval) => ({ approval, dueAt: approval.nextTryAt }));
        return longestDue(due, now, limit).map(({ approval }) =>
          put({ ...approval, nextTryAt: now + lease }),
        );
      }),
    schedule: (key, nextTryAt) =>
      runAtomically(() => {
        const before = approved(key);
        if (before === undefined) return;
        const { failure, ...approval } = before;
        if (before.nextTryAt !== undefined || failure !== undefined) put({ ...approval, nextTryAt });
      }),
    end: (key, failure) =>
      runAtomically(() => {
        const before = approved(key);
        if (before === undefined) return;
        const { nextTryAt: _never, failure: _before, ...approval } = before;
        put(failure === undefined ? approval : { ...approval, failure });
      }),
  };
}

function keyOf({ appId, bizNo, refundNo }: RefundKey): string {
  return compositeKey(appId, bizNo, refundNo);
}

function decidedBy({ operator, note, at, to }: ApprovalDecision) {
  return { ...to, decidedBy: operator, decidedAt: at, note };
}

type Place = Pick<RefundApproval, "requestedAt" | "id">;

function latestFirst(left: Place, right: Place): number {
  return right.requestedAt - left.requestedAt || compareText(right.id, left.id);
}
