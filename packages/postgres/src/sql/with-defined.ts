/** The members of `T`, each absent instead of `undefined`. */
type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/**
 * Adds the members of `optional` that are not `undefined` to `target`, and returns `target`.
 *
 * Adding members to one object costs a fraction of spreading many small objects.
 */
export function withDefined<T extends object, O extends object>(target: T, optional: O): T & Defined<O>;
export function withDefined(target: Record<string, unknown>, optional: Readonly<Record<string, unknown>>) {
  for (const name of Object.keys(optional)) {
    if (optional[name] !== undefined) target[name] = optional[name];
  }
  return target;
}
