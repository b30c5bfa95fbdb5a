import type { Schema } from "../api/routes.js";

type Store = Schema<"Downloads">["stores"][number];

/** The downloads of one period. */
export interface PeriodRow {
  readonly from: string;
  readonly until: string;
  /** `null` if no store has data of the period. */
  readonly new: number | null;
  readonly update: number | null;
  /** Whether a store has no data of some of the days. */
  readonly isIncomplete: boolean;
}

/** Returns the stores of a report, or only the chosen one. */
export function chosenStores({ stores }: Schema<"Downloads">, store: string | undefined): readonly Store[] {
  return stores.filter((one) => store === undefined || one.store === store);
}

/** Returns the counts of stores together for each period. */
export function periodRows({ periods }: Schema<"Downloads">, stores: readonly Store[]): readonly PeriodRow[] {
  return periods.map(({ from, until }, nth) => {
    const counts = stores.map((one) => one.periods[nth] ?? null);
    const known = counts.filter((one) => one !== null);
    const sum = (kind: "new" | "update") =>
      known.length === 0 ? null : known.reduce((total, one) => total + one[kind], 0);
    const days = (Date.parse(until) - Date.parse(from)) / 86_400_000 + 1;
    const isIncomplete = counts.some((one) => one === null || one.recordedDays < days);
    return { from, until, new: sum("new"), update: sum("update"), isIncomplete };
  });
}
