import type { AccessTokenStore, ClaimedAccessToken } from "@tillkit/core/ports";
import type { MemoryState } from "../state/memory-state.js";
import { runAtomically } from "../state/run-atomically.js";

/** Creates an `AccessTokenStore` in memory. */
export function memoryAccessTokenStore({
  accessTokens,
}: Pick<MemoryState, "accessTokens">): AccessTokenStore {
  return {
    claim: (payToolId, { id, now, until }) =>
      runAtomically((): ClaimedAccessToken => {
        const { token, claim } = accessTokens.get(payToolId) ?? {};
        if (token !== undefined && token.expiresAt > now) return { kind: "token", token };
        if (claim !== undefined && claim.until > now) return { kind: "claimed-by-another" };
        accessTokens.set(payToolId, { claim: { id, until } });
        return { kind: "granted" };
      }),
    save: (payToolId, token) =>
      runAtomically(() => {
        if (accessTokens.get(payToolId)?.claim?.id !== token.id) return false;
        accessTokens.set(payToolId, { token });
        return true;
      }),
    release: (payToolId, claimId) =>
      runAtomically(() => {
        if (accessTokens.get(payToolId)?.claim?.id === claimId) accessTokens.delete(payToolId);
      }),
    remove: (payToolId, tokenId) =>
      runAtomically(() => {
        if (accessTokens.get(payToolId)?.token?.id === tokenId) accessTokens.delete(payToolId);
      }),
  };
}
