import type { ResultAsync } from "neverthrow";
import type { AuditEntry } from "../audit/audit-entry.js";
import type { StorageFailure } from "../errors/failure.js";
import type { OperatorAccount } from "./operator-account.js";

/** The session of an operator in a browser. Times are epoch milliseconds. */
export interface OperatorSession {
  /** SHA-256 of the token in the cookie. */
  readonly tokenHash: string;
  /** The name of the operator. */
  readonly operator: string;
  /** SHA-256 of the token that changes must send as a header. */
  readonly csrfHash: string;
  /**
   * Whether the sign-in is complete.
   *
   * If not, the session may only enter or set up the second factor.
   */
  readonly complete: boolean;
  readonly createdAt: number;
  /** The latest end of the session, also if it is in use. */
  readonly expiresAt: number;
  readonly lastSeenAt: number;
}

/**
 * Stores the sessions of operators. Tested by `operatorSessionStoreContract`.
 *
 * Every method is one atomic step. The only failure is a {@link StorageFailure}.
 */
export interface OperatorSessionStore {
  /**
   * Stores a session, if its account exists and is not disabled. Returns whether it was stored.
   *
   * @param audit - appended if the session was stored.
   * @param replaces - the hash of another session's token. That session ends in the same step, and
   *   if it does not exist, nothing is stored.
   */
  open(session: OperatorSession, audit: AuditEntry, replaces?: string): ResultAsync<boolean, StorageFailure>;
  /**
   * Returns the session and its account, also if the session expired or the account is disabled.
   */
  find(
    tokenHash: string,
  ): ResultAsync<
    { readonly session: OperatorSession; readonly account: OperatorAccount } | undefined,
    StorageFailure
  >;
  /** Sets `lastSeenAt`, unless it is later already. */
  touch(tokenHash: string, at: number): ResultAsync<void, StorageFailure>;
  /** Ends the session, and appends `audit` if it existed. Returns whether it existed. */
  close(tokenHash: string, audit: AuditEntry): ResultAsync<boolean, StorageFailure>;
  /**
   * Removes up to `limit` sessions that expired before `before`, and returns how many.
   *
   * @param before - epoch milliseconds.
   */
  removeExpired(before: number, limit: number): ResultAsync<number, StorageFailure>;
}
