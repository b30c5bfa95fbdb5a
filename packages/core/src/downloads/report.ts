/** Counts of one day, one store or all of them. `totalDownloads = updateDownloads + newDownloads`, always. */
export interface Counts {
  readonly updateDownloads: number;
  readonly newDownloads: number;
  readonly totalDownloads: number;
}

/** What one store counted: in the whole range, and day by day. */
export interface StoreReport extends Counts {
  readonly store: string;
  /** The counts of each day, in the order of `DownloadsReport.days`, none left out: a day without a record counts zero. */
  readonly daily: {
    readonly updateDownloads: readonly number[];
    readonly newDownloads: readonly number[];
  };
}

/** What a client has used of its daily allowance. */
export interface Usage {
  readonly dailyLimit: number;
  readonly usedToday: number;
  readonly remainingToday: number;
}

/** What was counted in a range of days. */
export interface ReportContent {
  readonly start: string;
  readonly end: string;
  /** Every day from `start` to `end`, oldest first, `YYYY-MM-DD`. */
  readonly days: readonly string[];
  /** The sum of the stores. */
  readonly allStores: Counts;
  /** Each store with a count in the range, by name. */
  readonly stores: readonly StoreReport[];
}

/** A report with the usage it cost. Reports that came of one read hold the same lists. */
export interface DownloadsReport extends ReportContent {
  readonly usage: Usage;
  /** When the allowance starts anew, ISO 8601 with offset. */
  readonly resetAt: string;
  /** The same, in milliseconds from now. */
  readonly resetsIn: number;
}

/** Why there is no report, in the order in which it is checked. Source: downloads spec, "Errors"; BEHAVIOUR, "Downloads". */
export type DownloadsFailure =
  | { readonly name: "downloads.parameter-missing"; readonly parameter: "id" | "start" | "end" }
  | { readonly name: "downloads.invalid-date" }
  | { readonly name: "downloads.invalid-date-range" }
  | { readonly name: "downloads.date-range-too-long"; readonly maxDays: number }
  | { readonly name: "downloads.id-not-allowed" }
  | { readonly name: "downloads.id-not-found" }
  | {
      readonly name: "downloads.daily-limit-reached";
      readonly usage: Usage;
      readonly resetAt: string;
      readonly resetsIn: number;
    }
  | { readonly name: "downloads.limit-check-failed"; readonly cause?: unknown }
  | { readonly name: "downloads.fetch-failed"; readonly cause?: unknown };
