import type { Message } from "../errors/catalog.js";

/**
 * What can be wrong with the account of a pay tool.
 *
 * - `malformed`: a number, name or text does not have the format that the wallet prescribes.
 * - `missing`, `not-text`, `unknown-name`: the credentials do not have the fields of the wallet.
 * - `two-modes`: the credentials contain two alternatives at once.
 * - `unreadable`, `several`, `encrypted`, `is-private-key`, `is-public-key`, `is-certificate`,
 *   `not-rsa`, `too-short`: a key or certificate is not of the required kind.
 * - `is-own`: the merchant's own key is in the place of the wallet's.
 * - `mismatch`: two values do not belong together.
 * - `damaged`: a key does not verify its own signature.
 * - `expired`: a certificate is not valid at this time.
 * - `no-gateway`: the host has no gateway for the account's environment.
 * - `wrong-channel`: the account belongs to another wallet.
 * - `other`: anything else.
 */
export const ACCOUNT_PROBLEM_CODES = [
  "malformed",
  "missing",
  "not-text",
  "unknown-name",
  "two-modes",
  "unreadable",
  "several",
  "encrypted",
  "is-private-key",
  "is-public-key",
  "is-certificate",
  "not-rsa",
  "too-short",
  "is-own",
  "mismatch",
  "damaged",
  "expired",
  "no-gateway",
  "wrong-channel",
  "other",
] as const;
/** The code of one {@link AccountProblem}. */
export type AccountProblemCode = (typeof ACCOUNT_PROBLEM_CODES)[number];

/** Why an account cannot be used. Contains no part of a credential. */
export interface AccountProblem {
  readonly code: AccountProblemCode;
  /** The setting or the credential that is wrong, such as `accountId`. */
  readonly field: string;
  /** What is wrong with it, and which value to provide instead, for an operator. */
  readonly message: Message;
}
