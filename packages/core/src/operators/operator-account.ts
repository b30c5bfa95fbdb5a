import type { OperatorGrant } from "./operator-grant.js";
import type { Operator } from "./operator.js";

/** An operator who signs in with a password. Times are epoch milliseconds. */
export interface OperatorAccount extends Operator {
  /** The result of `PasswordHasher.hash`. */
  readonly passwordHash: string;
  /** Whether the operator must choose another password after the next sign-in. */
  readonly mustChangePassword: boolean;
  /** The Base32 key of the second factor. Absent until it is set up. Adapters encrypt it. */
  readonly totpSecret?: string;
  /** The last used time step of the second factor, so that each code works once. */
  readonly totpLastStep?: number;
  readonly disabled: boolean;
  /** Who gave the account its rights. See `grantsAfter`. */
  readonly grants: readonly OperatorGrant[];
  readonly gmtCreate: number;
  readonly gmtModified: number;
}
