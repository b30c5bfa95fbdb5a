import {
  type CustomerImportResult,
  type CustomerRecord,
  isLiveSession,
  isUseToStore,
  type Session,
  sessionsAtLogin,
  type SessionStore,
} from "@tillkit/core/ports";
import { auditChange, type AuditState } from "../audit/audit-log.js";
import { frozen } from "../state/frozen.js";
import { compareText, compositeKey, type MemoryState } from "../state/memory-state.js";
import { runAtomically } from "../state/run-atomically.js";

/**
 * Creates a `SessionStore` in memory.
 *
 * `forgetIdle` removes nothing. The store remembers forever which customers logged in and which
 * were erased.
 */
export function memorySessionStore(
  state: AuditState & Pick<MemoryState, "customers" | "erasedCustomers" | "sessionOwners" | "sessions">,
): SessionStore {
  const { customers, sessions } = state;
  const sessionsOf = (customer: string) => sessions.get(customer) ?? [];
  const phonesWith = (appId: string, phoneHashes: readonly string[]) =>
    phoneHashes.flatMap((hash) => customers.get(compositeKey(appId, hash)) ?? []);
  const keep = (customer: string, left: readonly Session[]) => {
    if (left.length > 0) sessions.set(customer, left);
    else sessions.delete(customer);
  };
  const identify = (
    appId: string,
    phoneHashes: readonly string[],
    candidate: string,
    now: number,
  ): CustomerImportResult => {
    const known = phonesWith(appId, phoneHashes)[0]?.customerId;
    const customerId = known ?? candidate;
    for (const phoneHash of phoneHashes) {
      const key = compositeKey(appId, phoneHash);
      const customer = { appId, phoneHash, customerId, gmtCreate: now };
      if (!customers.has(key)) customers.set(key, Object.freeze(customer));
    }
    return { outcome: known === undefined ? "stored" : "exists", customerId };
  };
  return {
    identify: (...customer) => runAtomically(() => identify(...customer).customerId),
    importCustomer: (...customer) => runAtomically(() => identify(...customer)),
    findPhones: (appId, phoneHashes) => runAtomically(() => phonesWith(appId, phoneHashes)),
    confirmLogin: (appId, phoneHashes, customerId, now) =>
      runAtomically(() => {
        if (customers.get(compositeKey(appId, phoneHashes[0]))?.customerId !== customerId) return false;
        for (const phone of phonesWith(appId, phoneHashes))
          if (phone.customerId === customerId)
            customers.set(compositeKey(appId, phone.phoneHash), frozen({ ...phone, usedAt: now }));
        return true;
      }),
    movePhones: (appId, moves, at, audit) =>
      runAtomically(() => {
        const isPossible = moves.every(
          ({ phoneHash, from, to }) =>
            customers.get(compositeKey(appId, phoneHash))?.customerId === from &&
            (to === undefined || !state.erasedCustomers.has(compositeKey(appId, to))),
        );
        if (!isPossible) return undefined;
        const losing = [...new Set(moves.flatMap((move) => move.from ?? []))];
        const ended = losing.flatMap((from) => sessionsOf(compositeKey(appId, from))).length;
        auditChange(state, audit, { sessions: ended });
        for (const { phoneHash, to } of moves) {
          const key = compositeKey(appId, phoneHash);
          if (to === undefined) customers.delete(key);
          else
            customers.set(
              key,
              frozen({ gmtCreate: at, ...customers.get(key), appId, phoneHash, customerId: to }),
            );
        }
        for (const from of losing) sessions.delete(compositeKey(appId, from));
        return ended;
      }),
    listCustomers: ({ appId, after, limit }) =>
      runAtomically(() =>
        [...customers.values()]
          .filter((customer) => appId === undefined || customer.appId === appId)
          .filter((customer) => after === undefined || byKey(after, customer) < 0)
          .sort(byKey)
          .slice(0, limit),
      ),
    open: (session, maxLive) =>
      runAtomically(() => {
        const customer = customerOf(session);
        if (state.erasedCustomers.has(customer)) return undefined;
        state.sessionOwners.add(customer);
        const opening = { openedAt: session.gmtCreate, maxLive };
        const { kept, evicted } = sessionsAtLogin(sessionsOf(customer), opening);
        sessions.set(customer, [...kept, frozen(session)]);
        return evicted;
      }),
    list: (appId, customerId) =>
      runAtomically(() => [...sessionsOf(compositeKey(appId, customerId))].sort(newestSessionsFirst)),
    use: (session, now, extendTo = 0) =>
      runAtomically(() => {
        const customer = customerOf(session);
        const stored = sessionsOf(customer);
        const used = stored.find((live) => isSameSession(live, session) && isLiveSession(live, now));
        if (used !== undefined && isUseToStore(used, now)) {
          const changed = { ...used, usedAt: now, expiresAt: Math.max(used.expiresAt, extendTo) };
          keep(
            customer,
            stored.map((one) => (one === used ? frozen(changed) : one)),
          );
        }
        return used !== undefined;
      }),
    revoke: (session) =>
      runAtomically(() => {
        const before = sessionsOf(customerOf(session));
        const after = before.filter((live) => !isSameSession(live, session));
        keep(customerOf(session), after);
        return after.length < before.length;
      }),
    countLive: (appId, customerId, now) =>
      runAtomically(
        () =>
          sessionsOf(compositeKey(appId, customerId)).filter((session) => isLiveSession(session, now)).length,
      ),
    revokeAll: (appId, customerId) =>
      runAtomically(() => {
        const customer = compositeKey(appId, customerId);
        const { length } = sessionsOf(customer);
        sessions.delete(customer);
        return length;
      }),
    removeExpired: (before, limit) =>
      runAtomically(() => {
        const all = [...sessions.values()].flat();
        const gone = new Set(all.filter(({ expiresAt }) => expiresAt < before).slice(0, limit));
        for (const customer of new Set([...gone].map(customerOf))) {
          const left = sessionsOf(customer).filter((session) => !gone.has(session));
          keep(customer, left);
        }
        return gone.size;
      }),
    forgetIdle: () => runAtomically(() => 0),
  };
}

/** Sorts sessions by the time of their creation, newest first, and then by their token hash. */
export function newestSessionsFirst(left: Session, right: Session): number {
  return right.gmtCreate - left.gmtCreate || compareText(right.tokenHash, left.tokenHash);
}

function byKey(left: CustomerKey, right: CustomerKey): number {
  return compareText(left.phoneHash, right.phoneHash) || compareText(left.appId, right.appId);
}

type CustomerKey = Pick<CustomerRecord, "phoneHash" | "appId">;

function customerOf({ appId, customerId }: Pick<Session, "appId" | "customerId">): string {
  return compositeKey(appId, customerId);
}

function isSameSession(left: Pick<Session, "tokenHash">, right: Pick<Session, "tokenHash">): boolean {
  return left.tokenHash === right.tokenHash;
}
