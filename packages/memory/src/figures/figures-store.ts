import type { FiguresStore } from "@tillkit/core/ports";
import type { MemoryState } from "../state/memory-state.js";
import { runAtomically } from "../state/run-atomically.js";

/** Creates a `FiguresStore` in memory. */
export function memoryFiguresStore({ figures }: Pick<MemoryState, "figures">): FiguresStore {
  return {
    claim: ({ id, now, until, olderThan }) =>
      runAtomically(() => {
        const { reading, claim } = figures;
        const isClaimed = (reading?.at ?? 0) <= olderThan && (claim?.until ?? 0) <= now;
        if (isClaimed) figures.claim = { id, until };
        return { isClaimed, ...(reading === undefined ? {} : { reading }) };
      }),
    save: (claimId, reading) =>
      runAtomically(() => {
        if (figures.claim?.id !== claimId) return false;
        figures.reading = reading;
        figures.claim = undefined;
        return true;
      }),
  };
}
