/** Hashes passwords slowly, so that a stolen database does not reveal them. */
export interface PasswordHasher {
  /** Returns a text that contains the parameters, a random salt and the hash. */
  hash(password: string): Promise<string>;
  /**
   * Returns whether the password has this hash. False for a text that is no hash.
   *
   * @param hash - `undefined` for a name without account. The comparison takes as long as with a
   *   hash, and returns false.
   */
  matches(password: string, hash: string | undefined): Promise<boolean>;
}
