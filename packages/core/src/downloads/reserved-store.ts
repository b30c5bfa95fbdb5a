/**
 * The name under which a downloads report has the sum of all stores.
 *
 * Source: downloads spec, "Success body".
 */
export const ALL_STORES = "All Stores";

/**
 * A count was to be stored for a store whose name is reserved, and nothing was stored.
 *
 * Give the store another name.
 */
export interface ReservedStoreFailure {
  readonly name: "store.reserved";
}

/**
 * Whether readers would take the name of a store for {@link ALL_STORES}: also in other letter case,
 * with other spaces, full-width letters or invisible characters.
 */
export function isReservedStore(store: string): boolean {
  // Most names are of letters and digits alone, and a file has a million of them.
  if (/^[!-~]*$/.test(store)) return false;
  const plain = store.normalize("NFKC").replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, "");
  return /^\s*all\s+stores\s*$/i.test(plain);
}

/** The failure over a store whose name is reserved. */
export function reservedStore(): ReservedStoreFailure {
  return { name: "store.reserved" };
}
