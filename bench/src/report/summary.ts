import type { Played } from "../harness/row.js";
import type { Target } from "../harness/target.js";
import { targetOutcomes } from "./target-outcomes.js";

/** A measured row. */
export interface MeasuredRow {
  readonly name: string;
  readonly played: readonly Played[];
  readonly targets: readonly Target[];
  /** What a quick run leaves out. */
  readonly lessData?: string | undefined;
}

/** A line of the table of all targets. */
interface SummaryLine {
  readonly row: string;
  readonly outcome: "met" | "MISSED";
  readonly result: string;
  readonly spread: string;
  readonly "by speed": string;
  readonly target: string;
}

/** Returns the outcomes of all targets. Marks those that were judged on less data. */
export function summaryLines(rows: readonly MeasuredRow[]): readonly SummaryLine[] {
  return rows.flatMap(({ name, played, targets, lessData }) =>
    targetOutcomes(played, targets).map(({ asks, value, spread = "", bySpeed = "", met }) => ({
      row: name,
      outcome: met ? "met" : "MISSED",
      result: value,
      spread,
      "by speed": bySpeed,
      target: lessData === undefined ? asks : `${asks} (less data: ${lessData})`,
    })),
  );
}
