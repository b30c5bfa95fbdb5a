import type { ResultAsync } from "neverthrow";
import type { OrderNumbers } from "../bills/bill-exception-store.js";
import type { StorageFailure } from "../errors/failure.js";
import type { OrderKey } from "../orders/order.js";
import type { CustomerRecord, Session } from "../sessions/session.js";
import type { QuotaKey } from "../shared/quota-store.js";
import type { ErasureMark, OrderErasure } from "./order-erasure.js";

/** The customer of an app whose login data is read. */
export interface LoginSubject {
  readonly appId: string;
  /** Absent if only the phone number is known. */
  readonly customerId?: string | undefined;
  /** The hashes of one phone number under each pepper. Empty if only the id is known. */
  readonly phoneHashes: readonly string[];
}

/** The customers of an app whose login data is erased, and a phone number. */
export interface LoginErasure {
  readonly appId: string;
  /** The customers, as they were found. No other customer is erased. */
  readonly customerIds: readonly string[];
  /**
   * The hashes of one phone number under each pepper, whose codes and counters are erased.
   *
   * If the number belongs to another customer, its codes and counters stay. Empty if only the ids
   * are known.
   */
  readonly phoneHashes: readonly string[];
}

/** The codes of a phone number. */
export interface StoredCodesOfPhone {
  readonly phoneHash: string;
  readonly count: number;
  /** The wrong attempts that count for the code, and in `dayTries` those that count for the day. */
  readonly tries: number;
  readonly dayTries: number;
  /** When the codes have expired and the count of the day has ended, epoch milliseconds. */
  readonly endsAt: number;
}

/** What a store holds about the login of a customer. */
export interface LoginData {
  /** The phone numbers of the customer, as keyed hashes. */
  readonly phones: readonly CustomerRecord[];
  /** How many codes are stored for each phone number, and the wrong attempts. No hash of a code. */
  readonly codes: readonly StoredCodesOfPhone[];
  /** Counters of SMS, by business day. */
  readonly counters: readonly (QuotaKey & { readonly day: string; readonly used: number })[];
  /** When a counter last granted a unit that needs a pause before the next one: an SMS. */
  readonly spacings: readonly (QuotaKey & { readonly grantedAt: number })[];
  /** Live and expired sessions, newest first. */
  readonly sessions: readonly Session[];
}

/** What an erasure of a login removed. */
export interface ErasedLogin {
  /** The hashes of the phone numbers that belonged to the customers. */
  readonly phoneHashes: readonly string[];
  /** The hashes whose codes and counters were removed. Includes given hashes without a customer. */
  readonly clearedHashes: readonly string[];
  /** The number of phone numbers with codes or wrong attempts. */
  readonly codes: number;
  readonly counters: number;
  readonly sessions: number;
}

/**
 * Erases personal data, and reads login data that no other store returns.
 *
 * Every method is one atomic step. The only failure is a {@link StorageFailure}. Tested by
 * `customerDataStoreContract`.
 */
export interface CustomerDataStore {
  /** Returns what is held about the login of a customer. */
  readLogin(subject: LoginSubject): ResultAsync<LoginData, StorageFailure>;
  /**
   * Removes phone numbers, codes, counters and sessions of customers.
   *
   * A customer who had a phone number or a login never gets a session again: `SessionStore.open`
   * returns `undefined` for the id. A concurrent login either ends before the erasure, which
   * removes its session, or it creates a new customer. If `SessionStore.movePhones` gives a number
   * to another customer at the same time, either the number stays with that customer, with its
   * codes and counters, or the move fails. A second call removes nothing.
   *
   * @param at - epoch milliseconds.
   */
  eraseLogin(erasure: LoginErasure, at: number): ResultAsync<ErasedLogin, StorageFailure>;
  /**
   * Erases the personal texts of an order, of its refunds, approvals and events.
   *
   * Does what `planOrderErasure` returns for the data at the time of the step. If it erases texts,
   * it appends `erasureEntry` to the timeline. Amounts, numbers, statuses and times stay, and the
   * hash chain stays intact.
   *
   * @returns `undefined` for an unknown order.
   */
  eraseOrder(key: OrderKey, mark: ErasureMark): ResultAsync<OrderErasure | undefined, StorageFailure>;
  /**
   * Erases the notes of operators about bill differences of an order; returns their number.
   *
   * Erases the notes of the exceptions with the number of the order, and of those that name the
   * order. Nothing else of an exception changes. Each of several concurrent calls counts only the
   * notes that it erased itself. A note that is written during the call may stay for the next one.
   */
  eraseNotes(order: OrderNumbers): ResultAsync<number, StorageFailure>;
  /**
   * Removes `customerName` from up to `limit` orders created before `before`; returns how many.
   *
   * The oldest come first. Each of several concurrent calls counts only the names that it removed
   * itself.
   *
   * @param before - epoch milliseconds.
   */
  forgetNames(before: number, limit: number): ResultAsync<number, StorageFailure>;
}
