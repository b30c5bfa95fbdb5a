/**
 * A count was for a store with a reserved name, and nothing was stored.
 *
 * Rename the store.
 */
export interface ReservedStoreFailure {
  readonly name: "store.reserved";
}

/**
 * Returns whether readers could confuse the name of a store with `ALL_STORES`.
 *
 * Ignores letter case, the kind and number of spaces, full-width forms and invisible characters.
 */
export function isReservedStore(store: string): boolean {
  // Most names are printable ASCII without spaces, and a file has a million of them.
  if (/^[!-~]*$/.test(store)) return false;
  const plain = store.normalize("NFKC").replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, "");
  return /^\s*all\s+stores\s*$/i.test(plain);
}

/** Creates the failure for a store with a reserved name. */
export function reservedStore(): ReservedStoreFailure {
  return { name: "store.reserved" };
}
