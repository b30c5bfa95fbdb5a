import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { AuthCode, Session } from "./session.js";

/**
 * Where SMS codes live: one live code per app and phone number. Proved by `codeStoreContract`.
 * The only failure is `storage.unavailable`. Source: BEHAVIOUR, "SMS codes and sessions".
 */
export interface CodeStore {
  /** Makes `code` the only live code of its app and phone, with no tries counted. */
  replace(code: AuthCode): ResultAsync<void, StorageFailure>;
  /** Forgets the code if it is still this one; a code that replaces it meanwhile stays. */
  drop(code: Pick<AuthCode, "appId" | "phoneHash" | "codeHash">): ResultAsync<void, StorageFailure>;
  /**
   * Counts a try, then compares. `matched` consumes the code: of any number of concurrent right tries one matches. `exhausted` once
   * `maxTries` tries were counted before this one, right or wrong. `wrong` for a different, expired, consumed or absent code.
   */
  attempt(
    code: Pick<AuthCode, "appId" | "phoneHash" | "codeHash">,
    now: number,
    maxTries: number,
  ): ResultAsync<"matched" | "wrong" | "exhausted", StorageFailure>;
  /**
   * Forgets up to `limit` codes that expired before `before`, and says how many. A code that takes the place of one meanwhile stays, and of concurrent
   * calls each counts codes of its own; one that meets another may leave some for the next call.
   */
  removeExpired(before: number, limit: number): ResultAsync<number, StorageFailure>;
}

/**
 * Where customers and their sessions live. Proved by `sessionStoreContract`. The only failure is `storage.unavailable`.
 */
export interface SessionStore {
  /**
   * The id of the customer with one of these phone hashes, or `candidate`, which then becomes it. Concurrent calls that share a hash agree on one id, also
   * when each has hashes the other lacks, as while a pepper is being replaced. From then on the customer is found under each of the hashes alone; of two
   * customers under two of them the one under the first counts. The pepper may be rotated several times: a customer is found under any of
   * the hashes, the last one too. `now`, epoch milliseconds, is when a new customer came to be: the `gmtCreate` of what is
   * stored of them; for a known one it means nothing.
   */
  identify(
    appId: string,
    phoneHashes: readonly [current: string, ...older: string[]],
    candidate: string,
    now: number,
  ): ResultAsync<string, StorageFailure>;
  /**
   * Opens the session and ends the customer's oldest live ones over `maxLive`, in one step: never more than `maxLive` are live, whatever the
   * concurrency. Returns the sessions it ended, oldest first. Source: payments spec, "Limits", active sessions.
   */
  open(session: Session, maxLive: number): ResultAsync<readonly Session[], StorageFailure>;
  /** Whether the session is there, belongs to this app and customer, and has not expired at `now`. */
  isLive(
    session: Pick<Session, "appId" | "customerId" | "tokenHash">,
    now: number,
  ): ResultAsync<boolean, StorageFailure>;
  /** Ends one session; false when there was none. */
  revoke(session: Pick<Session, "appId" | "customerId" | "tokenHash">): ResultAsync<boolean, StorageFailure>;
  /** Ends all of the customer's sessions and says how many. One that is opened meanwhile is either ended and counted, or stays live. */
  revokeAll(appId: string, customerId: string): ResultAsync<number, StorageFailure>;
  /**
   * Forgets up to `limit` sessions that expired before `before`, and says how many. Live ones stay, and of concurrent calls each counts sessions
   * of its own; one that meets another may leave some for the next call.
   */
  removeExpired(before: number, limit: number): ResultAsync<number, StorageFailure>;
  /**
   * Forgets, for up to `limit` customers who last opened a session before `before`, what the store keeps to let their logins in one at a time, and
   * says for how many. Their sessions and ids stay, and a login meanwhile keeps to its cap. A store that keeps nothing of the kind answers 0.
   */
  forgetIdle(before: number, limit: number): ResultAsync<number, StorageFailure>;
}
