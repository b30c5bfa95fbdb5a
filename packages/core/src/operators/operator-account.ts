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
  /** When the account was disabled last, also if it is enabled again. Absent: never. */
  readonly lastDisabledAt?: number;
  readonly gmtCreate: number;
  readonly gmtModified: number;
}

/**
 * Returns whether the account belongs to an admin of every app and is not disabled.
 *
 * One such account must stay: only an active admin creates and changes accounts in the dashboard.
 *
 * @returns false for an admin who is disabled or limited to some apps.
 * @example
 * ```ts
 * import { isActiveAdmin } from "@tillkit/core/ports";
 *
 * isActiveAdmin({ role: "admin", apps: ["app_1"], disabled: false }); // false
 * ```
 */
export function isActiveAdmin({
  role,
  apps,
  disabled,
}: Pick<OperatorAccount, "role" | "apps" | "disabled">): boolean {
  return role === "admin" && apps === undefined && !disabled;
}
