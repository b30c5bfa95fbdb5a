import type { AuditEntry } from "../audit/audit-entry.js";
import { isSameOperator } from "./is-same-operator.js";
import { OPERATOR_ROLES, type Operator } from "./operator.js";

/** What an operator did to give an account its rights. */
export const GRANT_KINDS = ["create", "reset", "raise", "enable"] as const;

/** Where a grant came from. Users of `cli` and `host` already have access to the database. */
export const GRANT_ORIGINS = ["cli", "host", "dashboard"] as const;

/**
 * An operator gave rights to an account: created it, reset it, raised its rights or enabled it.
 *
 * This operator may know the password of the account, or use it together with its owner.
 */
export interface OperatorGrant {
  /** The name of the operator who gave the rights. */
  readonly by: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly kind: (typeof GRANT_KINDS)[number];
  readonly origin: (typeof GRANT_ORIGINS)[number];
}

/** An account and who gave it its rights. */
export interface GrantedAccount {
  readonly name: string;
  readonly grants: readonly OperatorGrant[];
}

/** The maximum number of grants that an account keeps. The oldest are dropped. */
const MAX_GRANTS = 100;

/**
 * Returns the grants of an account after a command.
 *
 * Keeps the latest grant of each operator and origin. A creation or a reset from the command line
 * or the host replaces all earlier grants, because only the person who ran it knows the new
 * password. A change by the owner of the account on the dashboard adds nothing.
 *
 * @param audit - the audit entry of the command: who gave it, when and from where.
 * @returns the grants, the latest last.
 * @example
 * ```ts
 * import { grantsAfter, type AuditEntry, type OperatorAccount } from "@tillkit/core/ports";
 *
 * declare const account: OperatorAccount;
 * declare const audit: AuditEntry;
 *
 * const grants = grantsAfter(account, "reset", audit);
 * ```
 */
export function grantsAfter(
  { name, grants }: GrantedAccount,
  kind: OperatorGrant["kind"],
  audit: Pick<AuditEntry, "operator" | "at" | "from">,
): readonly OperatorGrant[] {
  const origin = audit.from === "cli" || audit.from === "host" ? audit.from : "dashboard";
  const grant: OperatorGrant = { by: audit.operator, at: audit.at, kind, origin };
  if (origin !== "dashboard" && (kind === "create" || kind === "reset")) return [grant];
  if (origin === "dashboard" && isSameOperator(grant.by, name)) return grants;
  const others = grants.filter((one) => one.origin !== origin || !isSameOperator(one.by, grant.by));
  return [...others, grant].slice(-MAX_GRANTS);
}

/**
 * Returns whether a change gives an operator more rights: a higher role, or a further app.
 *
 * @returns false if the rights stay or become fewer.
 * @example
 * ```ts
 * import { raisesRights } from "@tillkit/core/ports";
 *
 * raisesRights({ role: "support", apps: ["app_1"] }, { role: "support" }); // true
 * ```
 */
export function raisesRights(
  before: Pick<Operator, "role" | "apps">,
  after: Pick<Operator, "role" | "apps">,
): boolean {
  if (OPERATOR_ROLES.indexOf(after.role) > OPERATOR_ROLES.indexOf(before.role)) return true;
  const { apps } = before;
  return apps !== undefined && (after.apps?.some((appId) => !apps.includes(appId)) ?? true);
}
