import type { CrashFinding } from "./client-records.js";
import { compareEvents } from "./compare-events.js";
import type { OrderSnapshot } from "./read-snapshot.js";

/**
 * Compares the events that took effect in transactions, in order, with the timelines.
 *
 * Each event must have taken effect exactly once. The events of one order must have taken effect in
 * the order of its timeline.
 */
export function compareEffects(
  effects: readonly string[],
  snapshot: readonly Pick<OrderSnapshot, "order" | "eventIds">[],
): readonly CrashFinding[] {
  const counts = new Map<string, number>();
  for (const id of effects) counts.set(id, (counts.get(id) ?? 0) + 1);
  const repeated = snapshot.flatMap(({ order, eventIds }) =>
    eventIds.flatMap((id): readonly CrashFinding[] => {
      const count = counts.get(id) ?? 0;
      const what = `${id} took effect ${String(count)} times`;
      return count > 1 ? [{ kind: "duplicated", bizNo: order.bizNo, what }] : [];
    }),
  );
  return [...repeated, ...compareEvents(effects, snapshot)];
}
