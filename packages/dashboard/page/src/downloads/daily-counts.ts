import type { Schema } from "../api/routes.js";

/** The downloads of one day. */
export interface DailyCount {
  readonly day: string;
  readonly new: number;
  readonly update: number;
}

/** Returns the counts of one store for each day, or of all stores together. */
export function dailyCounts(
  { days, stores }: Schema<"Downloads">,
  store: string | undefined,
): readonly DailyCount[] {
  const chosen = stores.filter((one) => store === undefined || one.store === store);
  const sum = (kind: "new" | "update", nth: number) =>
    chosen.reduce((total, one) => total + (one[kind][nth] ?? 0), 0);
  return days.map((day, nth) => ({ day, new: sum("new", nth), update: sum("update", nth) }));
}
