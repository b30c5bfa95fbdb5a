/** Removes up to `limit` entries of `map` that are `over`, and says how many. */
export function removeWhere<K, V>(map: Map<K, V>, over: (entry: V) => boolean, limit: number): number {
  const found = [...map].filter(([, entry]) => over(entry)).slice(0, limit);
  for (const [key] of found) map.delete(key);
  return found.length;
}
