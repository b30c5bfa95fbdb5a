/** A one-time SMS code, as it is stored. */
export interface AuthCode {
  readonly appId: string;
  /** Keyed hash of app and phone number. */
  readonly phoneHash: string;
  /** Keyed hash of app, phone number and code. */
  readonly codeHash: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** A customer's session, as it is stored. */
export interface Session {
  readonly appId: string;
  readonly customerId: string;
  /** SHA-256 of the token. */
  readonly tokenHash: string;
  readonly gmtCreate: number;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}
