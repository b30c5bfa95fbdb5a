/** The second factor of operators: time-based codes by RFC 6238, of 6 digits and 30 seconds. */
export interface Totp {
  /** Returns the Base32 key of 20 bytes, as an app on a phone accepts it. */
  keyOf(bytes: Uint8Array): string;
  /** Returns the address that an app on a phone reads from a QR code. */
  uri(key: string, operator: string): string;
  /**
   * Returns the time step of a code that is valid at `now`, or one step earlier or later.
   *
   * @param now - epoch milliseconds.
   * @returns the step, or `undefined` for a wrong code.
   */
  stepOf(code: string, key: string, now: number): number | undefined;
}
