import type { ResultAsync } from "neverthrow";
import type { AuditEntry } from "../audit/audit-entry.js";
import type { StorageFailure } from "../errors/failure.js";
import type { CustomerRecord, PhoneMove, Session } from "./session.js";

/** A page of all customers, for an export. */
export interface AllCustomersQuery {
  /** Absent: the customers of every app. */
  readonly appId?: string | undefined;
  /** The last customer of the previous page. Absent for the first page. */
  readonly after?: Pick<CustomerRecord, "phoneHash" | "appId"> | undefined;
  readonly limit: number;
}

/**
 * The result of {@link SessionStore.importCustomer}.
 *
 * `exists`: one of the hashes had a customer already, whose id is `customerId`.
 */
export interface CustomerImportResult {
  readonly outcome: "stored" | "exists";
  readonly customerId: string;
}

/**
 * Stores customers and their sessions. Tested by `sessionStoreContract`.
 *
 * The only failure is a {@link StorageFailure}.
 */
export interface SessionStore {
  /**
   * Returns the id of the customer with one of the phone hashes, or stores a new customer.
   *
   * A new customer gets the id `candidate`. Concurrent calls that share a hash return the same id,
   * even if each has hashes that the other lacks, as during the rotation of a pepper. Afterwards
   * each of the hashes alone finds the customer, so the host can rotate the pepper several times.
   * If the hashes belong to two customers, the hash that comes first in `phoneHashes` decides.
   *
   * @param phoneHashes - The hashes of one phone number under each pepper, the current one first.
   * @param now - Epoch milliseconds. The `gmtCreate` of a new customer; not used for a known one.
   */
  identify(
    appId: string,
    phoneHashes: readonly [current: string, ...older: string[]],
    candidate: string,
    now: number,
  ): ResultAsync<string, StorageFailure>;
  /**
   * Like {@link SessionStore.identify}, and returns whether the customer is new.
   *
   * Of concurrent calls that share a hash, one stores its customer.
   */
  importCustomer(
    appId: string,
    phoneHashes: readonly [current: string, ...older: string[]],
    customerId: string,
    gmtCreate: number,
  ): ResultAsync<CustomerImportResult, StorageFailure>;
  /** Returns the records of those phone hashes that have a customer, in the order of the hashes. */
  findPhones(
    appId: string,
    phoneHashes: readonly string[],
  ): ResultAsync<readonly CustomerRecord[], StorageFailure>;
  /**
   * Records that the phone number logged in, and returns whether it belongs to the customer.
   *
   * Called after {@link SessionStore.open}. Waits for a change of the number that is under way. So
   * if it returns true, the number belongs to the customer, and a later {@link
   * SessionStore.movePhones} ends the session.
   *
   * @param phoneHashes - The hashes of one phone number. The first one decides.
   * @param now - Epoch milliseconds.
   */
  confirmLogin(
    appId: string,
    phoneHashes: readonly [current: string, ...older: string[]],
    customerId: string,
    now: number,
  ): ResultAsync<boolean, StorageFailure>;
  /**
   * Changes the customers of phone numbers, in one atomic step.
   *
   * Ends all sessions of each customer who loses a number. Nothing changes if a number does not
   * belong to the customer `from`, or if a customer `to` was erased: see
   * `CustomerDataStore.eraseLogin`. Of concurrent calls about the same number, one changes it.
   *
   * @param at - Epoch milliseconds.
   * @param audit - appended in the same step, with `before.sessions` in its detail: the number of
   *   ended sessions.
   * @returns the number of ended sessions. `undefined` if nothing changed.
   */
  movePhones(
    appId: string,
    moves: readonly PhoneMove[],
    at: number,
    audit?: AuditEntry,
  ): ResultAsync<number | undefined, StorageFailure>;
  /**
   * Returns one page of all customers, sorted by `phoneHash` and `appId`, both byte by byte.
   *
   * A customer with several hashes has one record for each. Fails if a record cannot be read, so
   * that an export is never incomplete.
   */
  listCustomers(query: AllCustomersQuery): ResultAsync<readonly CustomerRecord[], StorageFailure>;
  /**
   * Opens the session, and ends the customer's oldest live sessions above `maxLive`.
   *
   * One atomic step: concurrent calls never leave more than `maxLive` live sessions.
   *
   * @returns the ended sessions, oldest first. `undefined`, and nothing changes, if the customer
   *   was erased: see `CustomerDataStore.eraseLogin`.
   */
  open(session: Session, maxLive: number): ResultAsync<readonly Session[] | undefined, StorageFailure>;
  /** Returns the stored sessions of the customer, newest first, including expired ones. */
  list(appId: string, customerId: string): ResultAsync<readonly Session[], StorageFailure>;
  /**
   * Returns whether the session exists for this app and customer and has not expired at `now`.
   *
   * Also stores that a live session is used, at most once a day: see `isUseToStore`. In the same
   * step, the end of the session moves to `extendTo` if `extendTo` is later.
   *
   * @param now - Epoch milliseconds.
   * @param extendTo - Epoch milliseconds. Absent: the end of the session stays.
   */
  use(
    session: Pick<Session, "appId" | "customerId" | "tokenHash">,
    now: number,
    extendTo?: number,
  ): ResultAsync<boolean, StorageFailure>;
  /** Ends one session. Returns false if it does not exist. */
  revoke(session: Pick<Session, "appId" | "customerId" | "tokenHash">): ResultAsync<boolean, StorageFailure>;
  /**
   * Ends all sessions of the customer, and returns how many.
   *
   * A session that is opened during the call is either ended and counted, or stays live.
   */
  revokeAll(appId: string, customerId: string): ResultAsync<number, StorageFailure>;
  /**
   * Returns how many sessions of the customer have not expired at `now`.
   *
   * @param now - Epoch milliseconds.
   */
  countLive(appId: string, customerId: string, now: number): ResultAsync<number, StorageFailure>;
  /**
   * Removes up to `limit` sessions that expired before `before`, and returns how many.
   *
   * Live sessions stay. Each of several concurrent calls counts only the sessions that it removed
   * itself. Calls that collide may leave some sessions for the next call.
   *
   * @param before - Epoch milliseconds.
   */
  removeExpired(before: number, limit: number): ResultAsync<number, StorageFailure>;
  /**
   * Removes the login locks of up to `limit` customers without a recent login; returns how many.
   *
   * Applies to customers who last opened a session before `before`, epoch milliseconds. With a
   * login lock, a store processes the logins of one customer one at a time. The locks of erased
   * customers stay, so that `open` never opens a session for them. Sessions and ids stay, and
   * `open` still respects `maxLive` during the call. A store without such locks returns 0.
   */
  forgetIdle(before: number, limit: number): ResultAsync<number, StorageFailure>;
}
