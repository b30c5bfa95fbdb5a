import { err, ok, type Result } from "neverthrow";
import { nearStores } from "./near-stores.js";
import { storeKey } from "./store-key.js";

/** A name under which counts of a store arrive. The name of the store itself is one of them. */
export interface StoreName {
  readonly name: string;
  /** The name of the store in reports. */
  readonly store: string;
}

/** A store of the registry, with its other names. */
export interface DownloadsStore {
  readonly store: string;
  /** Other names of the store, sorted. */
  readonly aliases: readonly string[];
}

/** The largest number of names in the registry, aliases included. */
export const MAX_STORE_NAMES = 10_000;

/** The largest number of names in an {@link UnknownStoresFailure}. */
export const MAX_UNKNOWN_STORES_LISTED = 20;

/** The registry does not have these stores, and nothing was stored. */
export interface UnknownStoresFailure {
  readonly name: "store.unknown";
  /** At most {@link MAX_UNKNOWN_STORES_LISTED} of them, in the order of the file. */
  readonly stores: readonly {
    readonly name: string;
    /** Known stores with a similar name, at most three, the most similar first. */
    readonly near: readonly string[];
  }[];
}

/** The registry would have more than {@link MAX_STORE_NAMES} names. Nothing was stored. */
export interface TooManyStoresFailure {
  readonly name: "store.too-many";
}

/**
 * Returns a function that finds the store of a name.
 *
 * If the exact name is stored, returns its store. Otherwise returns the store of the first name, in
 * text order, with the same {@link storeKey}.
 *
 * @returns the finder. It returns `undefined` for a name that no spelling of a store matches.
 * @example
 * ```ts
 * import { storeFinder } from "@tillkit/core/ports";
 *
 * const storeOf = storeFinder([{ name: "App Store", store: "App Store" }]);
 * console.log(storeOf("APP STORE")); // App Store
 * ```
 */
export function storeFinder(names: readonly StoreName[]): (name: string) => string | undefined {
  const exact = new Map(names.map(({ name, store }) => [name, store]));
  const keys = new Map<string, string>();
  for (const { name, store } of names.toSorted(byName)) {
    const key = storeKey(name);
    if (!keys.has(key)) keys.set(key, store);
  }
  return (name) => exact.get(name) ?? keys.get(storeKey(name));
}

function byName(left: StoreName, right: StoreName): number {
  return left.name < right.name ? -1 : 1;
}

/**
 * Returns each store with its other names, sorted by name.
 *
 * @returns the stores, for a list.
 * @example
 * ```ts
 * import { storesOf } from "@tillkit/core/operators";
 *
 * const [store] = storesOf([{ name: "App Store", store: "App Store" }]);
 * ```
 */
export function storesOf(names: readonly StoreName[]): readonly DownloadsStore[] {
  const aliases = new Map<string, string[]>();
  for (const { name, store } of names.toSorted(byName)) {
    const others = aliases.get(store) ?? [];
    aliases.set(store, others);
    if (name !== store) others.push(name);
  }
  return [...aliases.keys()]
    .toSorted((left, right) => (left < right ? -1 : 1))
    .map((store) => ({ store, aliases: aliases.get(store) ?? [] }));
}

/** The names that a file adds to the registry, and the store of each name in the file. */
export interface ResolvedStores {
  readonly storeOf: ReadonlyMap<string, string>;
  readonly added: readonly StoreName[];
}

/**
 * Finds the stores of the names in a file. For adapters.
 *
 * A new spelling of a known store becomes an alias of it. The first spelling of an unknown store
 * becomes the name of a new store, unless `strict` is set.
 *
 * @param texts - names in the order of the file.
 * @returns the store of each name. Fails with `store.unknown` if `strict` is set and a store is
 *   new, and with `store.too-many` if the registry is full.
 * @example
 * ```ts
 * import { resolveStores } from "@tillkit/core/ports";
 *
 * const resolved = resolveStores([{ name: "Huawei", store: "Huawei" }], ["HUAWEI"], true);
 * ```
 */
export function resolveStores(
  names: readonly StoreName[],
  texts: Iterable<string>,
  strict: boolean,
): Result<ResolvedStores, UnknownStoresFailure | TooManyStoresFailure> {
  const find = storeFinder(names);
  const nameSet = new Set(names.map(({ name }) => name));
  const news = new Map<string, string>();
  const storeOf = new Map<string, string>();
  const additions: StoreName[] = [];
  const unknown: string[] = [];
  for (const name of texts) {
    const match = find(name) ?? news.get(storeKey(name));
    if (match === undefined) {
      unknown.push(name);
      news.set(storeKey(name), name);
    }
    const store = match ?? name;
    storeOf.set(name, store);
    if (!nameSet.has(name)) additions.push({ name, store });
  }
  if (strict && unknown.length > 0) return err(unknownStores(names, unknown));
  return isTooMany(names, additions) ? err({ name: "store.too-many" }) : ok({ storeOf, added: additions });
}

/**
 * Returns whether the registry would have too many names with `additions`. Without additions,
 * returns false even if it already has too many names.
 */
export function isTooMany(names: readonly StoreName[], additions: readonly StoreName[]): boolean {
  return additions.length > 0 && names.length + additions.length > MAX_STORE_NAMES;
}

/**
 * Creates the failure for stores that the registry does not have, with similar stores.
 *
 * @returns the failure, for an adapter.
 * @example
 * ```ts
 * import { unknownStores } from "@tillkit/core/ports";
 *
 * const failure = unknownStores([{ name: "Huawei", store: "Huawei" }], ["Huawai"]);
 * console.log(failure.stores[0]?.near); // ["Huawei"]
 * ```
 */
export function unknownStores(names: readonly StoreName[], unknown: readonly string[]): UnknownStoresFailure {
  const examples = unknown.slice(0, MAX_UNKNOWN_STORES_LISTED);
  return { name: "store.unknown", stores: examples.map((name) => ({ name, near: nearStores(names, name) })) };
}
