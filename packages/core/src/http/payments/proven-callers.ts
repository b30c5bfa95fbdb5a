import type { PresentedCredentials } from "../../apps/authenticate-caller.js";

/**
 * Credentials that were right when they were used last.
 *
 * They decide who shares places, never who has access.
 */
export interface ProvenCallers {
  has(caller: PresentedCredentials): boolean;
  add(caller: PresentedCredentials): void;
  delete(caller: PresentedCredentials): void;
}

/**
 * Opens an empty memory of at most `most` credentials; the ones that were added longest ago are
 * forgotten first. Adding credentials again makes them the newest. Only hashes are kept.
 */
export function provenCallers(most = 10_000): ProvenCallers {
  const proven = new Set<string>();
  // A hash has a fixed length, so that no two pairs have one key.
  const keyOf = ({ appId, secretHash }: PresentedCredentials) => `${secretHash} ${appId}`;
  return {
    has: (caller) => proven.has(keyOf(caller)),
    add(caller) {
      const key = keyOf(caller);
      // A set keeps the place of a key that it holds already.
      proven.delete(key);
      proven.add(key);
      if (proven.size <= most) return;
      const [oldest = ""] = proven;
      proven.delete(oldest);
    },
    delete: (caller) => void proven.delete(keyOf(caller)),
  };
}
