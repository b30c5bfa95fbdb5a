/**
 * The counts of one store or all stores, for a range of days.
 *
 * `totalDownloads` always equals `updateDownloads + newDownloads`.
 */
export interface DownloadCounts {
  readonly updateDownloads: number;
  readonly newDownloads: number;
  readonly totalDownloads: number;
}

/** The counts of one store, for the whole range and per day. */
export interface StoreReport extends DownloadCounts {
  readonly store: string;
  /**
   * The counts per day, in the order of `DownloadsReport.days`. A day without a record counts zero.
   */
  readonly daily: {
    readonly updateDownloads: readonly number[];
    readonly newDownloads: readonly number[];
  };
}

/** How much of its daily allowance a client has used. */
export interface DownloadsUsage {
  readonly dailyLimit: number;
  readonly usedToday: number;
  readonly remainingToday: number;
}

/** The counts of a range of days. */
export interface ReportContent {
  readonly start: string;
  readonly end: string;
  /** Every day from `start` to `end`, oldest first, `YYYY-MM-DD`. */
  readonly days: readonly string[];
  /** The sum of all stores. */
  readonly allStores: DownloadCounts;
  /** Each store with a count in the range, sorted by name. */
  readonly stores: readonly StoreReport[];
}

/** A report with the client's usage. Reports may share their lists, so do not change them. */
export interface DownloadsReport extends ReportContent {
  readonly usage: DownloadsUsage;
  /** When the next allowance starts, ISO 8601 with offset. */
  readonly resetAt: string;
  /** The milliseconds until `resetAt`. */
  readonly resetsIn: number;
}

/**
 * Why `getDownloadsReport` returned no report, in the order of its checks.
 *
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/downloads.md |
 *   Downloads are checked in a fixed order, and counts have one name per store}
 */
export type DownloadsFailure =
  | { readonly name: "downloads.parameter-missing"; readonly parameter: "id" | "start" | "end" }
  | { readonly name: "downloads.invalid-date" }
  | { readonly name: "downloads.invalid-date-range" }
  | { readonly name: "downloads.date-range-too-long"; readonly maxDays: number }
  | { readonly name: "downloads.id-not-allowed" }
  | { readonly name: "downloads.id-not-found" }
  | {
      readonly name: "downloads.daily-limit-reached";
      readonly usage: DownloadsUsage;
      readonly resetAt: string;
      readonly resetsIn: number;
    }
  | { readonly name: "downloads.limit-check-failed"; readonly cause?: unknown }
  | { readonly name: "downloads.fetch-failed"; readonly cause?: unknown };
