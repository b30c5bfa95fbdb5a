import type { GrantedAccount } from "./operator-grant.js";
import { operatorNameKey } from "./is-same-operator.js";

/**
 * Returns until when two operators count as one person, or `undefined` if they do not.
 *
 * An operator who gave rights to an account may be able to use this account, for the period
 * `coolingOff`. The operator may then also be able to use the accounts to which this account gave
 * rights, and so on. Two operators count as one person while one of them, or a third operator, may
 * be able to use both accounts. Grants from the command line and the host do not count.
 *
 * @param accounts - all accounts. An operator without an account, for example of a single sign-on,
 *   has no grants.
 * @param coolingOff - the period in milliseconds. Only grants after `now - coolingOff` count.
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
    // The loop also visits entries that it adds. An entry whose time becomes later is added again.
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
