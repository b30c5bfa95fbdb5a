import type { AuthCode, CodeStore } from "@tillkit/core";
import { frozen } from "./frozen.js";
import { keyText, type MemoryState } from "./memory-state.js";
import { removeWhere } from "./remove-where.js";
import { step } from "./step.js";

/** Creates a `CodeStore` in memory. */
export function memoryCodeStore({ codes }: Pick<MemoryState, "codes">): CodeStore {
  return {
    replace: (code) => step(() => void codes.set(ownerOf(code), { code: frozen(code), tries: 0 })),
    drop: (code) =>
      step(() => {
        if (codes.get(ownerOf(code))?.code.codeHash === code.codeHash) codes.delete(ownerOf(code));
      }),
    attempt: (tried, now, maxTries) =>
      step(() => {
        const held = codes.get(ownerOf(tried));
        if (held === undefined) return "wrong";
        if (held.tries >= maxTries) return "exhausted";
        held.tries += 1;
        if (held.code.codeHash !== tried.codeHash || now >= held.code.expiresAt) return "wrong";
        codes.delete(ownerOf(tried));
        return "matched";
      }),
    removeExpired: (before, limit) =>
      step(() => removeWhere(codes, ({ code }) => code.expiresAt < before, limit)),
  };
}

function ownerOf({ appId, phoneHash }: Pick<AuthCode, "appId" | "phoneHash">): string {
  return keyText(appId, phoneHash);
}
