import type { Session, SessionStore } from "@tillkit/core";
import { frozen } from "./frozen.js";
import { keyText, type MemoryState } from "./memory-state.js";
import { step } from "./step.js";

/** `SessionStore` in memory. Sessions that have expired are forgotten when their customer opens the next. */
export function memorySessionStore(state: Pick<MemoryState, "customers" | "sessions">): SessionStore {
  const { customers, sessions } = state;
  const sessionsOf = (customer: string) => sessions.get(customer) ?? [];
  return {
    identify: (appId, phoneHashes, candidate) =>
      step(() => {
        const known = phoneHashes
          .map((hash) => customers.get(keyText(appId, hash)))
          .find((id) => id !== undefined);
        const customerId = known ?? candidate;
        customers.set(keyText(appId, phoneHashes[0]), customerId);
        return customerId;
      }),
    open: (session, maxLive) =>
      step(() => {
        const customer = customerOf(session);
        const live = sessionsOf(customer)
          .filter(({ expiresAt }) => session.gmtCreate < expiresAt)
          .sort((left, right) => left.gmtCreate - right.gmtCreate);
        // The one being opened stays, whatever its time: a login must not end itself.
        const ended = live.slice(0, Math.max(0, live.length + 1 - maxLive));
        sessions.set(customer, [...live.slice(ended.length), frozen(session)]);
        return ended;
      }),
    isLive: (session, now) =>
      step(() =>
        sessionsOf(customerOf(session)).some((live) => isSame(live, session) && now < live.expiresAt),
      ),
    revoke: (session) =>
      step(() => {
        const before = sessionsOf(customerOf(session));
        const after = before.filter((live) => !isSame(live, session));
        sessions.set(customerOf(session), after);
        return after.length < before.length;
      }),
    revokeAll: (appId, customerId) =>
      step(() => {
        const customer = keyText(appId, customerId);
        const { length } = sessionsOf(customer);
        sessions.delete(customer);
        return length;
      }),
  };
}

function customerOf({ appId, customerId }: Pick<Session, "appId" | "customerId">): string {
  return keyText(appId, customerId);
}

function isSame(left: Pick<Session, "tokenHash">, right: Pick<Session, "tokenHash">): boolean {
  return left.tokenHash === right.tokenHash;
}
