/**
 * Computes a value once per object, for as long as the object is in use.
 *
 * Callers must not modify the objects.
 */
export function memoizeByObject<K extends object, T>(compute: (key: K) => T): (key: K) => T {
  const stored = new WeakMap<K, { readonly value: T }>();
  return (key) => {
    const known = stored.get(key);
    if (known !== undefined) return known.value;
    const value = compute(key);
    stored.set(key, { value });
    return value;
  };
}
