import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { AccessToken } from "./shipments.js";

/** A stored token with the id of the claim whose caller requested it. */
export interface StoredAccessToken extends AccessToken {
  readonly id: string;
}

/** A claim on the request of a token. Times are epoch milliseconds. */
export interface AccessTokenClaim {
  /** Identifies the claim, and later the token. Each attempt has its own id. */
  readonly id: string;
  readonly now: number;
  /** When another caller may claim the request, if this caller does not end the claim earlier. */
  readonly until: number;
}

/** The stored token, or whether the caller may request one. */
export type ClaimedAccessToken =
  | { readonly kind: "token"; readonly token: StoredAccessToken }
  | { readonly kind: "granted" | "claimed-by-another" };

/**
 * Stores the access token of each pay tool. One process requests a token, and all share it.
 *
 * An adapter that writes to a disk encrypts the tokens. A token that cannot be decrypted is not
 * returned, and is replaced. Times are epoch milliseconds. Every method is one atomic step. The
 * only failure is a {@link StorageFailure}. `accessTokenStoreContract` of `@tillkit/contract-tests`
 * tests an implementation.
 */
export interface AccessTokenStore {
  /**
   * Returns the token of a pay tool if it is valid at `now`, or claims the request of a new token.
   *
   * Of several concurrent calls without a valid token, one gets the claim.
   */
  claim(payToolId: string, claim: AccessTokenClaim): ResultAsync<ClaimedAccessToken, StorageFailure>;
  /**
   * Stores a token and ends the claim with its `id`.
   *
   * @returns false, without effect, if the claim is lost: another claim followed, or the claim has
   *   ended.
   */
  save(payToolId: string, token: StoredAccessToken): ResultAsync<boolean, StorageFailure>;
  /** Ends the claim with this id without a token, so that another caller can claim at once. */
  release(payToolId: string, claimId: string): ResultAsync<void, StorageFailure>;
  /**
   * Removes the token with this id. Any other token stays.
   *
   * If the wallet refuses the same token in several concurrent calls, they cause only one new
   * request.
   */
  remove(payToolId: string, tokenId: string): ResultAsync<void, StorageFailure>;
}
