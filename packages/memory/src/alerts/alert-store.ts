import type { AlertStore } from "@tillkit/core/ports";
import type { MemoryState } from "../state/memory-state.js";
import { runAtomically } from "../state/run-atomically.js";

/** Creates an `AlertStore` in memory. */
export function memoryAlertStore({ alertChannels }: Pick<MemoryState, "alertChannels">): AlertStore {
  return {
    claim: (channel, { id, now, until }) =>
      runAtomically(() => {
        const held = alertChannels.get(channel) ?? { state: "", dueAt: now };
        if (held.dueAt > now || (held.claim !== undefined && held.claim.until > now)) return undefined;
        alertChannels.set(channel, { ...held, claim: { id, until } });
        return held.state;
      }),
    save: (channel, claimId, state, after) =>
      runAtomically(() => {
        const held = alertChannels.get(channel);
        if (held?.claim?.id !== claimId) return false;
        const { dueAt } = held;
        if ("until" in after)
          alertChannels.set(channel, { state, dueAt, claim: { id: claimId, until: after.until } });
        else alertChannels.set(channel, { state, dueAt: after.dueAt });
        return true;
      }),
  };
}
