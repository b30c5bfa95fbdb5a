import type { AuditEntry } from "../audit/audit-entry.js";
import { operatorNameKey, isSameOperator, OPERATOR_ROLES, type Operator } from "./operator.js";

/** What an operator did to give an account its rights. */
export const GRANT_KINDS = ["create", "reset", "raise", "enable"] as const;

/** Where a grant came from. `cli` and `host` already have the database. */
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
interface GrantedAccount {
  readonly name: string;
  readonly grants: readonly OperatorGrant[];
}

/** The maximum number of grants that an account keeps. The oldest are dropped. */
const MAX_GRANTS = 100;

/**
 * Returns the grants of an account after a command.
 *
 * Keeps the latest grant of each operator and origin. A creation or a reset from the command line
 * or the host replaces all earlier grants, because only its sender knows the new password. A change
 * by the owner of the account adds nothing.
 *
 * @param audit - the audit entry of the command: who gave it, when and from where.
 * @returns the grants, the latest last.
 * @example
 * ```ts
 * import { grantsAfter, type AuditEntry, type OperatorAccount } from "@tillkit/core";
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
 * import { raisesRights } from "@tillkit/core";
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

/**
 * Returns until when two operators count as one person. `undefined`: they are two.
 *
 * An operator who gave rights to an account may be able to use it for the period `coolingOff`, and
 * also the accounts that it gave rights to, and so on. Two operators count as one person while one
 * of them, or a third one, may use both. Grants of the command line and the host do not count.
 *
 * @param accounts - all accounts. An operator without one, such as one of a single sign-on, has no
 *   grants.
 * @param coolingOff - the period in milliseconds. Grants from `now - coolingOff` on count.
 * @returns epoch milliseconds.
 * @example
 * ```ts
 * import { onePersonUntil } from "@tillkit/core";
 *
 * const now = 1_000_000;
 * const grants = [{ by: "han", at: now - 1_000, kind: "create", origin: "dashboard" }] as const;
 * onePersonUntil([{ name: "li", grants }], ["han", "li"], 60_000, now); // 1_059_000
 * ```
 */
export function onePersonUntil(
  accounts: readonly GrantedAccount[],
  [left, right]: readonly [string, string],
  coolingOff: number,
  now: number,
): number | undefined {
  const grantsOf = (name: string) =>
    accounts
      .filter((account) => operatorNameKey(account.name) === name)
      .flatMap(({ grants }) => grants)
      .filter(({ origin, at }) => origin === "dashboard" && at + coolingOff > now);
  /** Returns who may use the account, and until when. */
  const usersOf = (owner: string): ReadonlyMap<string, number> => {
    const users = new Map([[operatorNameKey(owner), Number.POSITIVE_INFINITY]]);
    // A map returns entries that are added meanwhile. An entry that lasts longer is added again.
    for (const [name, until] of users)
      for (const { by, at } of grantsOf(name)) {
        const user = operatorNameKey(by);
        const usableUntil = Math.min(until, at + coolingOff);
        if (usableUntil <= (users.get(user) ?? 0)) continue;
        users.delete(user);
        users.set(user, usableUntil);
      }
    return users;
  };
  const ofRight = usersOf(right);
  const common = [...usersOf(left)].map(([user, until]) => Math.min(until, ofRight.get(user) ?? 0));
  const last = Math.max(...common);
  return last > now ? last : undefined;
}
