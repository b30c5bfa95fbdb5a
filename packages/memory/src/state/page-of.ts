/**
 * Returns the first page of a sorted list, and the position of its last item if more items follow.
 */
export function pageOf<T, P>(
  sorted: readonly T[],
  limit: number,
  positionOf: (item: T) => P,
): { readonly items: readonly T[]; readonly next?: P } {
  const items = sorted.slice(0, limit);
  const last = sorted.length > limit ? items.at(-1) : undefined;
  return { items, ...(last === undefined ? {} : { next: positionOf(last) }) };
}
