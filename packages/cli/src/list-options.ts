import { InvalidArgumentError } from "@commander-js/extra-typings";
import { billDay } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import { okAsync, type ResultAsync } from "neverthrow";

/** The most rows that one list has. */
export const MAX_ROWS = 1_000;

/** Parses an option as a date, `YYYY-MM-DD`. */
export function dayOf(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text))
    throw new InvalidArgumentError("The value must be a day, such as 2026-01-31.");
  return text;
}

/** The options of a list that limit when its rows were made, as days in China. */
export interface DayOptions {
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/** Returns the range of the days, with its end excluded, epoch milliseconds. */
export function rangeOf({ from, until }: DayOptions) {
  return {
    from: from === undefined ? undefined : billDay(from).startsAt,
    until: until === undefined ? undefined : billDay(until).endsAt,
  };
}

/** A page of a list that is searched from the newest row on. */
interface Page<T, P> {
  readonly items: readonly T[];
  readonly next?: P;
}

/** Rows of a list, and whether it has older ones that were not read. */
export interface Rows<T> {
  readonly rows: readonly T[];
  readonly hasMore: boolean;
}

const PAGE = 100;
/** A search for rare rows ends after so many pages, each of which has a bounded cost. */
const MAX_PAGES = 100;

/** Reads the pages of a list until it has `limit` rows. */
export function readRows<T, P>(
  limit: number,
  readPage: (page: {
    readonly before: P | undefined;
    readonly limit: number;
  }) => ResultAsync<Page<T, P>, StorageFailure>,
): ResultAsync<Rows<T>, StorageFailure> {
  const readOn = (
    rows: readonly T[],
    before: P | undefined,
    pages: number,
  ): ResultAsync<Rows<T>, StorageFailure> =>
    readPage({ before, limit: Math.min(PAGE, limit - rows.length) }).andThen(({ items, next }) => {
      const found = [...rows, ...items];
      if (next === undefined || found.length >= limit || pages >= MAX_PAGES)
        return okAsync({ rows: found, hasMore: next !== undefined });
      return readOn(found, next, pages + 1);
    });
  return readOn([], undefined, 1);
}

/** Writes how to get the rows that a list left out. Empty if it has all. */
export function moreText({ hasMore }: Rows<unknown>): readonly string[] {
  return hasMore ? ["There are older ones: set --until, more filters, or a higher --limit."] : [];
}
