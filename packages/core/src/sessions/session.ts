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
}

/** A customer's session in its stored form. */
export interface Session {
  readonly appId: string;
  readonly customerId: string;
  /** The SHA-256 of the token. */
  readonly tokenHash: string;
  readonly gmtCreate: number;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/**
 * Returns whether the session has not expired at `now`, epoch milliseconds.
 *
 * The memory store calls this function. The PostgreSQL store has the same condition in its
 * statements.
 */
export function isLiveSession({ expiresAt }: Pick<Session, "expiresAt">, now: number): boolean {
  return now < expiresAt;
}
