/** A one-time SMS code in its stored form. */
export interface AuthCode {
  readonly appId: string;
  /** The keyed hash of app and phone number. */
  readonly phoneHash: string;
  /** The keyed hash of app, phone number and code. */
  readonly codeHash: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** The customer of one phone number, in its stored form. */
export interface CustomerRecord {
  readonly appId: string;
  /** The keyed hash of app and phone number, under one of the peppers. */
  readonly phoneHash: string;
  /** 1 to 64 characters of `[0-9A-Za-z_-]`. */
  readonly customerId: string;
  readonly gmtCreate: number;
  /** When the number last logged in, epoch milliseconds. Absent if no login was recorded yet. */
  readonly usedAt?: number;
}

/**
 * A move of a phone number to another customer, or to none.
 *
 * `from` is the customer who has the number now. Absent: the number must have no customer. `to` is
 * the customer who has the number afterwards. Absent: the next login starts a new customer.
 */
export type PhoneMove = { readonly phoneHash: string } & (
  | { readonly from: string; readonly to?: string | undefined }
  | { readonly from?: undefined; readonly to: string }
);

/** A customer's session in its stored form. */
export interface Session {
  readonly appId: string;
  readonly customerId: string;
  /** The SHA-256 of the token. */
  readonly tokenHash: string;
  readonly gmtCreate: number;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  /** What the host calls the device. Absent if it set no name. */
  readonly label?: string;
  /** The last stored use, less than a day before the actual last use. Absent if none was stored. */
  readonly usedAt?: number;
}

/** The minimum time between two stored uses of a session, in milliseconds. */
export const SESSION_USE_INTERVAL = 24 * 60 * 60_000;

/**
 * Returns whether a store must record a use of the session at `now` (epoch milliseconds).
 *
 * @returns true at most once a day.
 * @example
 * ```ts
 * import { isUseToStore } from "@tillkit/core/ports";
 *
 * isUseToStore({ gmtCreate: 0 }, 86_400_000); // true
 * ```
 */
export function isUseToStore(
  { gmtCreate, usedAt = gmtCreate }: Pick<Session, "gmtCreate" | "usedAt">,
  now: number,
): boolean {
  return now - usedAt >= SESSION_USE_INTERVAL;
}

/**
 * Returns whether the session has not expired at `now` (epoch milliseconds).
 *
 * The memory store calls this function. The PostgreSQL store has the same condition in its
 * statements.
 */
export function isLiveSession({ expiresAt }: Pick<Session, "expiresAt">, now: number): boolean {
  return now < expiresAt;
}
