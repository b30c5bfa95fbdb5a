import * as z from "zod";
import { issue, singleLineText, nonBlankText, naturalNumber, lazySchema } from "../shared/input.js";
import { isDate } from "../shared/date.js";
import { isReservedStore } from "./reserved-store.js";

/** The counts of one store for one app on one day. */
export interface DailyCount {
  readonly appId: string;
  readonly store: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly newDownloads: number;
  readonly updateDownloads: number;
}

/**
 * The counts of one store on the days of a range.
 *
 * Three lists of equal length, with one element per day that has a count.
 */
export interface StoreCounts {
  readonly store: string;
  /** The days, as offsets from the first day of the range. Each occurs once, in any order. */
  readonly days: readonly number[];
  readonly newDownloads: readonly number[];
  readonly updateDownloads: readonly number[];
}

/**
 * One count from a file or a form.
 *
 * The day exists in the calendar, the store is not called `All Stores`, and the counts are whole
 * numbers from 0 to 10 000 000 000.
 */
export const dailyCountInput = lazySchema(() =>
  z.object({
    appId: singleLineText(64),
    store: nonBlankText(64).refine((store) => !isReservedStore(store), issue("reserved-store")),
    date: singleLineText(10).refine(isDate, issue("date")),
    newDownloads: naturalNumber(),
    updateDownloads: naturalNumber(),
  }),
);
/** A valid count, the output of `parseInput(dailyCountInput(), …)`. */
export type DailyCountInput = z.output<ReturnType<typeof dailyCountInput>>;

/** A client that may read an app's download counts. */
export interface DownloadsClient extends DownloadsClientTerms {
  /** The id of the client, which it sends as the query parameter `id`. */
  readonly clientId: string;
  /** The app whose counts it reads. */
  readonly appId: string;
  readonly gmtCreate: number;
}

/** What an operator can change of a downloads client. */
export interface DownloadsClientTerms {
  /** Requests per business day. */
  readonly dailyLimit: number;
  /** When the client's access to reports ends, epoch milliseconds. Absent if it does not end. */
  readonly endsAt?: number;
}
