import { storeKey } from "./store-key.js";

/** A name of a store. See `StoreName`. */
interface Named {
  readonly name: string;
  readonly store: string;
}

const MAX_NEAR = 3;
/** Longer keys are compared by their first characters. */
const COMPARED = 64;

/** Returns known stores with a similar name, at most three, the most similar first. */
export function nearStores(names: readonly Named[], name: string): readonly string[] {
  const key = storeKey(name).slice(0, COMPARED);
  const tolerance = Math.max(1, Math.floor(key.length / 3));
  const distances = new Map<string, number>();
  for (const { name: other, store } of names) {
    const candidate = storeKey(other).slice(0, COMPARED);
    const shorter = Math.min(candidate.length, key.length);
    const isPart = shorter >= 2 && (candidate.includes(key) || key.includes(candidate));
    // Most names differ too much in length, and need no comparison.
    if (!isPart && Math.abs(candidate.length - key.length) > tolerance) continue;
    const distance = isPart ? 1 : editDistance(key, candidate);
    if (distance > tolerance) continue;
    distances.set(store, Math.min(distance, distances.get(store) ?? distance));
  }
  return [...distances]
    .toSorted(([left, first], [right, second]) => first - second || (left < right ? -1 : 1))
    .slice(0, MAX_NEAR)
    .map(([store]) => store);
}

/** The number of characters to insert, remove or replace. */
function editDistance(left: string, right: string): number {
  const letters = [...right];
  let row = [0, ...letters.map((_, index) => index + 1)];
  for (const [index, character] of [...left].entries()) {
    const next = [index + 1];
    for (const [column, other] of letters.entries()) {
      const replacement = (row[column] ?? 0) + (character === other ? 0 : 1);
      next.push(Math.min((next[column] ?? 0) + 1, (row[column + 1] ?? 0) + 1, replacement));
    }
    row = next;
  }
  return row[letters.length] ?? 0;
}
