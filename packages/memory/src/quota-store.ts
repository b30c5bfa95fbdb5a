import type { QuotaKey, QuotaStore } from "@tillkit/core";
import { heldOr, type HeldQuota, keyText, type MemoryState } from "./memory-state.js";
import { step } from "./step.js";

/** `QuotaStore` in memory. */
export function memoryQuotaStore({ quotas }: Pick<MemoryState, "quotas">): QuotaStore {
  const quotaOf = ({ scope, subject }: QuotaKey): HeldQuota =>
    heldOr(quotas, keyText(scope, subject), () => ({ usedByDay: new Map(), lastGrantedAt: undefined }));
  return {
    take: (key, { day, limit, now, spacing }) =>
      step(() => {
        const quota = quotaOf(key);
        const used = quota.usedByDay.get(day) ?? 0;
        const elapsed = now - (quota.lastGrantedAt ?? -Infinity);
        // A clock that was set back tells nothing about the time between.
        const tooSoon = elapsed >= 0 && elapsed < spacing;
        if (used >= limit || tooSoon) return { granted: false, used };
        quota.usedByDay.set(day, used + 1);
        quota.lastGrantedAt = now;
        return { granted: true, used: used + 1 };
      }),
    giveBack: (key, day) =>
      step(() => {
        const quota = quotaOf(key);
        const used = quota.usedByDay.get(day) ?? 0;
        if (used === 0) return;
        quota.usedByDay.set(day, used - 1);
        quota.lastGrantedAt = undefined;
      }),
  };
}
