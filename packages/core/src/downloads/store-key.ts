/**
 * Returns the key that all spellings of a store name share.
 *
 * Ignores letter case, spaces, invisible characters, full and half width, and other forms of the
 * same characters (NFKC).
 *
 * @returns the key. It is for comparison, not for display.
 * @example
 * ```ts
 * import { storeKey } from "@tillkit/core/operators";
 *
 * console.log(storeKey("App Store") === storeKey("ａｐｐstore")); // true
 * ```
 */
export function storeKey(name: string): string {
  const plain = name.normalize("NFKC").replace(/[\s\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, "");
  // First to upper case, because `ß` and `ss` have the same upper case.
  return plain.toUpperCase().toLowerCase().normalize("NFKC");
}
