import type { AuthCode, CodeStore } from "@tillkit/core";
import { frozen } from "./frozen.js";
import { compositeKey, type MemoryState } from "./memory-state.js";
import { removeWhere } from "./remove-where.js";
import { runAtomically } from "./run-atomically.js";

/** Creates a `CodeStore` in memory. */
export function memoryCodeStore({ codes }: Pick<MemoryState, "codes">): CodeStore {
  return {
    replace: (code) => runAtomically(() => void codes.set(ownerOf(code), { code: frozen(code), tries: 0 })),
    drop: (code) =>
      runAtomically(() => {
        if (codes.get(ownerOf(code))?.code.codeHash === code.codeHash) codes.delete(ownerOf(code));
      }),
    attempt: (tried, now, maxTries) =>
      runAtomically(() => {
        const stored = codes.get(ownerOf(tried));
        if (stored === undefined) return "wrong";
        if (stored.tries >= maxTries) return "exhausted";
        stored.tries += 1;
        if (stored.code.codeHash !== tried.codeHash || now >= stored.code.expiresAt) return "wrong";
        codes.delete(ownerOf(tried));
        return "matched";
      }),
    removeExpired: (before, limit) =>
      runAtomically(() => removeWhere(codes, ({ code }) => code.expiresAt < before, limit)),
  };
}

function ownerOf({ appId, phoneHash }: Pick<AuthCode, "appId" | "phoneHash">): string {
  return compositeKey(appId, phoneHash);
}
