import { err, ok, type Result } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { InvalidCountFailure } from "./count-problem.js";
import { isTooMany, storeFinder, type StoreName, unknownStores } from "./store-name.js";
import type { TooManyStoresFailure, UnknownStoresFailure } from "./store-name.js";

/**
 * What to do with a day of an app for which both stores have counts.
 *
 * - `refuse`: nothing is merged.
 * - `sum`: the counts are added up.
 * - `keep`: the counts of the store that stays are kept, and those of the other store are deleted.
 */
export const DAYS_IN_BOTH = ["refuse", "sum", "keep"] as const;
/** One way to treat a day that both stores have. */
export type DaysInBoth = (typeof DAYS_IN_BOTH)[number];

/** The largest number of days that two stores to merge may both have, over all apps. */
export const MAX_DAYS_IN_BOTH = 3_660;

/**
 * A change of the registry of stores.
 *
 * - `add`: a new store.
 * - `alias`: another name of a store. An alias of another store becomes an alias of this store.
 * - `rename`: a new name of a store. The counts move, and the old name becomes an alias.
 * - `merge`: the counts of `store` become counts of `into`, and all names of `store` become aliases
 *   of `into`.
 */
export type StoreChange =
  | { readonly kind: "add"; readonly store: string }
  | { readonly kind: "alias"; readonly alias: string; readonly store: string }
  | { readonly kind: "rename"; readonly store: string; readonly to: string }
  | { readonly kind: "merge"; readonly store: string; readonly into: string; readonly days: DaysInBoth };

/** The name belongs to another store already. Nothing was changed. */
export interface StoreExistsFailure {
  readonly name: "store.exists";
  /** The store that has the name. */
  readonly store: string;
}

/** Both stores have counts of the same days. Nothing was changed. */
export interface DaysInBothFailure {
  readonly name: "store.days-in-both";
  /** The number of days of all apps. One more than {@link MAX_DAYS_IN_BOTH} if there are more. */
  readonly days: number;
}

/** Why the registry of stores was not changed. */
export type StoreChangeFailure =
  | UnknownStoresFailure
  | TooManyStoresFailure
  | StoreExistsFailure
  | DaysInBothFailure
  | InvalidCountFailure
  | StorageFailure;

/** What a change of the registry did, or would do. */
export interface ChangedStores {
  /** The name of the store in reports, after the change. */
  readonly store: string;
  /** Whether something was changed. A repeated change changes nothing. */
  readonly changed: boolean;
  /** The number of days whose counts moved to the store. */
  readonly movedDays: number;
  /** The number of days that both stores had. */
  readonly daysInBoth: number;
}

/** The rows of the registry that a change stores, and the store whose counts move. */
export interface PlannedStoreChange {
  /** The name of the store after the change. */
  readonly store: string;
  /** New and changed rows. Empty if nothing changes. */
  readonly rows: readonly StoreName[];
  /** The store whose counts become counts of `store`. Absent if none move. */
  readonly from?: string;
}

/**
 * Returns what a change of the registry stores. For adapters, which lock the registry first.
 *
 * @returns the plan, with the stored names of the stores.
 * @example
 * ```ts
 * import { plannedStoreChange } from "@tillkit/core/ports";
 *
 * const names = [{ name: "Huawei", store: "Huawei" }];
 * const plan = plannedStoreChange(names, { kind: "alias", alias: "华为", store: "huawei" });
 * ```
 */
export function plannedStoreChange(
  names: readonly StoreName[],
  change: StoreChange,
): Result<PlannedStoreChange, UnknownStoresFailure | TooManyStoresFailure | StoreExistsFailure> {
  const plan = planOf(names, change);
  if (plan.isErr()) return plan;
  const nameSet = new Set(names.map(({ name }) => name));
  const additions = plan.value.rows.filter(({ name }) => !nameSet.has(name));
  return isTooMany(names, additions) ? err({ name: "store.too-many" }) : plan;
}

type FindStore = ReturnType<typeof storeFinder>;

type Plan = Result<PlannedStoreChange, UnknownStoresFailure | StoreExistsFailure>;

function planOf(names: readonly StoreName[], change: StoreChange): Plan {
  const find = storeFinder(names);
  const store = find(change.store);
  if (change.kind === "add") {
    if (store === undefined)
      return ok({ store: change.store, rows: [{ name: change.store, store: change.store }] });
    return store === change.store ? ok({ store, rows: [] }) : err({ name: "store.exists", store });
  }
  if (store === undefined) return err(unknownStores(names, [change.store]));
  switch (change.kind) {
    case "alias":
      return aliasPlan(names, change.alias, store);
    case "rename":
      return renamePlan(names, find, store, change.to);
    case "merge":
      return mergePlan(names, find, store, change.into);
  }
}

function aliasPlan(names: readonly StoreName[], alias: string, store: string): Plan {
  const row = names.find(({ name }) => name === alias);
  if (row?.store === store) return ok({ store, rows: [] });
  // The name of a store has counts, which only a merge moves.
  if (row?.store === alias) return err({ name: "store.exists", store: alias });
  return ok({ store, rows: [{ name: alias, store }] });
}

function renamePlan(names: readonly StoreName[], find: FindStore, store: string, to: string): Plan {
  if (store === to) return ok({ store, rows: [] });
  const owner = find(to);
  if (owner !== undefined && owner !== store) return err({ name: "store.exists", store: owner });
  return ok({ store: to, from: store, rows: [...namesOf(names, store, to), { name: to, store: to }] });
}

function mergePlan(names: readonly StoreName[], find: FindStore, store: string, into: string): Plan {
  const target = find(into);
  if (target === undefined) return err(unknownStores(names, [into]));
  if (target === store) return ok({ store, rows: [] });
  return ok({ store: target, from: store, rows: namesOf(names, store, target) });
}

/** Returns the names of a store as names of another one. */
function namesOf(names: readonly StoreName[], store: string, next: string): readonly StoreName[] {
  return names
    .filter((one) => one.store === store && one.name !== next)
    .map(({ name }) => ({ name, store: next }));
}
