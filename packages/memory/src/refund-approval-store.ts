import {
  type ApprovalDecision,
  isSameOperator,
  onePersonUntil,
  type RefundApproval,
  type RefundApprovalStore,
  type RefundKey,
} from "@tillkit/core";
import { auditChange, type AuditState } from "./audit-log.js";
import { longestDue } from "./due-work.js";
import { frozen } from "./frozen.js";
import { compareText, compositeKey, type MemoryState } from "./memory-state.js";
import { runAtomically } from "./run-atomically.js";

/** Creates a `RefundApprovalStore` in memory. */
export function memoryRefundApprovalStore(
  state: Pick<MemoryState, "refundApprovals" | "operators"> & AuditState,
): RefundApprovalStore {
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
  const visible = (apps: readonly string[] | undefined) =>
    [...held.values()].filter(({ appId }) => apps === undefined || apps.includes(appId));
  return {
    insertOnce: (approval, audit) =>
      runAtomically(() => {
        const before = held.get(keyOf(approval));
        if (before !== undefined) return { inserted: false, approval: before };
        auditChange(state, audit);
        return { inserted: true, approval: put(approval) };
      }),
    find: (wanted) => runAtomically(() => [...held.values()].find(({ id }) => id === wanted)),
    listOfOrder: ({ appId, bizNo }) =>
      runAtomically(() =>
        [...held.values()]
          .filter((approval) => approval.appId === appId && approval.bizNo === bizNo)
          .sort((left, right) =>
            left.requestedAt === right.requestedAt
              ? compareText(left.refundNo, right.refundNo)
              : left.requestedAt - right.requestedAt,
          ),
      ),
    decide: (key, decision, audit) =>
      runAtomically(() => {
        const before = held.get(keyOf(key));
        if (before === undefined) return undefined;
        if (before.state !== "WAITING") return { kind: "not-waiting", approval: before };
        const { requestedBy } = before;
        const { operator, coolingOff, at } = decision;
        if (isSameOperator(requestedBy, operator)) return { kind: "own", approval: before };
        const until = onePersonUntil([...operators.values()], [requestedBy, operator], coolingOff, at);
        if (until !== undefined) return { kind: "one-person", approval: before, until };
        auditChange(state, audit);
        return { kind: "decided", approval: put({ ...before, ...decidedBy(decision) }) };
      }),
    list: ({ state: wanted, apps, before, limit }) =>
      runAtomically(() =>
        visible(apps)
          .filter((approval) => approval.state === wanted)
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
        if (before?.nextTryAt !== undefined) put({ ...before, nextTryAt });
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
