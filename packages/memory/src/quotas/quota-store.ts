import type { QuotaKey, QuotaStore } from "@tillkit/core";
import { compositeKey, type MemoryState } from "../state/memory-state.js";
import { removeWhere } from "../state/remove-where.js";
import { runAtomically } from "../state/run-atomically.js";

/** Creates a `QuotaStore` in memory. */
export function memoryQuotaStore({ quotas, spacings }: Pick<MemoryState, "quotas" | "spacings">): QuotaStore {
  return {
    take: (key, { day, limit, now, spacing }) =>
      runAtomically(() => {
        const used = quotas.get(dayOf(key, day))?.used ?? 0;
        const elapsed = now - (spacings.get(ownerOf(key)) ?? -Infinity);
        // If the clock was set back, the elapsed time is unknown and the spacing does not apply.
        const tooSoon = elapsed >= 0 && elapsed < spacing;
        if (used >= limit) return { granted: false, used };
        if (tooSoon) return { granted: false, used, retryAt: now - elapsed + spacing };
        quotas.set(dayOf(key, day), { ...key, day, used: used + 1 });
        if (spacing > 0) spacings.set(ownerOf(key), now);
        return { granted: true, used: used + 1 };
      }),
    giveBack: (key, day) =>
      runAtomically(() => {
        const used = quotas.get(dayOf(key, day))?.used ?? 0;
        if (used === 0) return;
        quotas.set(dayOf(key, day), { ...key, day, used: used - 1 });
      }),
    find: (key, day) => runAtomically(() => quotas.get(dayOf(key, day))?.used ?? 0),
    list: (day, limit) =>
      runAtomically(() =>
        [...quotas.values()]
          .filter((quota) => quota.day === day && quota.used > 0)
          .toSorted((left, right) => right.used - left.used)
          .slice(0, limit)
          .map(({ scope, subject, used }) => ({ scope, subject, used })),
      ),
    removeBefore: (day, limit) => runAtomically(() => removeWhere(quotas, (quota) => quota.day < day, limit)),
    removeSpacings: (before, limit) =>
      runAtomically(() => removeWhere(spacings, (grantedAt) => grantedAt < before, limit)),
  };
}

function ownerOf({ scope, subject }: QuotaKey): string {
  return compositeKey(scope, subject);
}

function dayOf({ scope, subject }: QuotaKey, day: string): string {
  return compositeKey(scope, subject, day);
}
