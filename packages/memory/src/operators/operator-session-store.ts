import type { OperatorSessionStore } from "@tillkit/core/ports";
import { appendAudit, type AuditState } from "../audit/audit-log.js";
import { frozen } from "../state/frozen.js";
import type { MemoryState } from "../state/memory-state.js";
import { runAtomically } from "../state/run-atomically.js";

/** Creates an `OperatorSessionStore` in memory. */
export function memoryOperatorSessionStore(
  state: Pick<MemoryState, "operators" | "operatorSessions"> & AuditState,
): OperatorSessionStore {
  const { operators, operatorSessions: sessions } = state;
  return {
    open: (session, audit, replaces) =>
      runAtomically(() => {
        const account = operators.get(session.operator);
        if (account === undefined || account.disabled) return false;
        if (replaces !== undefined && !sessions.has(replaces)) return false;
        appendAudit(state, audit);
        if (replaces !== undefined) sessions.delete(replaces);
        sessions.set(session.tokenHash, frozen(session));
        return true;
      }),
    find: (tokenHash) =>
      runAtomically(() => {
        const session = sessions.get(tokenHash);
        const account = session && operators.get(session.operator);
        return session && account && { session, account };
      }),
    touch: (tokenHash, at) =>
      runAtomically(() => {
        const session = sessions.get(tokenHash);
        if (session !== undefined && session.lastSeenAt < at)
          sessions.set(tokenHash, frozen({ ...session, lastSeenAt: at }));
      }),
    close: (tokenHash, audit) =>
      runAtomically(() => {
        if (!sessions.has(tokenHash)) return false;
        appendAudit(state, audit);
        return sessions.delete(tokenHash);
      }),
    removeExpired: (before, limit) =>
      runAtomically(() => {
        const expired = [...sessions.values()].filter(({ expiresAt }) => expiresAt < before).slice(0, limit);
        for (const { tokenHash } of expired) sessions.delete(tokenHash);
        return expired.length;
      }),
  };
}
