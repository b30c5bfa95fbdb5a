import type { PresentedCredentials } from "../../apps/authenticate-caller.js";

/**
 * Credentials that were valid when they were used last.
 *
 * They only decide whether a request shares the slots of trusted senders. They never grant access.
 */
export interface RecentCallers {
  has(caller: PresentedCredentials): boolean;
  add(caller: PresentedCredentials): void;
  delete(caller: PresentedCredentials): void;
}

/**
 * Creates an empty set of at most `most` credentials.
 *
 * When it is full, it drops the credentials that were added longest ago. Adding credentials again
 * makes them the newest. It stores hashes of secrets, never the secrets.
 */
export function recentCallers(most = 10_000): RecentCallers {
  const callers = new Set<string>();
  // The hash has a fixed length, so two different pairs never have the same key.
  const keyOf = ({ appId, secretHash }: PresentedCredentials) => `${secretHash} ${appId}`;
  return {
    has: (caller) => callers.has(keyOf(caller)),
    add(caller) {
      const key = keyOf(caller);
      // A set does not move a key that it already contains.
      callers.delete(key);
      callers.add(key);
      if (callers.size <= most) return;
      const [oldest = ""] = callers;
      callers.delete(oldest);
    },
    delete: (caller) => void callers.delete(keyOf(caller)),
  };
}
