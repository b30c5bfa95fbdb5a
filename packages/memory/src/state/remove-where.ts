/**
 * Removes up to `limit` entries of `map` that match `over`. Returns the number of removed entries.
 */
export function removeWhere<K, V>(map: Map<K, V>, over: (entry: V) => boolean, limit: number): number {
  const found = [...map].filter(([, entry]) => over(entry)).slice(0, limit);
  for (const [key] of found) map.delete(key);
  return found.length;
}
