import type { GrantedAccount } from "./operator-grant.js";
import { operatorNameKey } from "./operator.js";

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
 * import { onePersonUntil } from "@tillkit/core/ports";
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
