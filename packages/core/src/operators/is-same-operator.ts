/**
 * Returns whether two names belong to the same person.
 *
 * Ignores case, spaces around the name and the Unicode form: a directory of a single sign-on often
 * accepts `Han` for `han`, and passes the name on as the person typed it.
 *
 * @returns true if the names differ in nothing else.
 * @example
 * ```ts
 * import { isSameOperator } from "@tillkit/core/ports";
 *
 * isSameOperator("han", "Han "); // true
 * ```
 */
export function isSameOperator(left: string, right: string): boolean {
  return operatorNameKey(left) === operatorNameKey(right);
}

/**
 * Returns the key of an operator's name, which is the same for all forms of the name.
 *
 * @returns the name without spaces around it, in the Unicode form NFKC and in lower case.
 * @example
 * ```ts
 * import { operatorNameKey } from "@tillkit/core/ports";
 *
 * operatorNameKey(" Ｈan"); // "han"
 * ```
 */
export function operatorNameKey(name: string): string {
  // "ς" and "σ" have different lower cases, but the same upper case. With "ß" and "ẞ", it is the
  // other way round.
  return name.normalize("NFKC").trim().toLowerCase().toUpperCase().toLowerCase().normalize("NFKC");
}
