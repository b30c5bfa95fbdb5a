import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { billDay, PAY_CHANNELS, type PayChannel } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import { isDate } from "@tillkit/core/operators";
import { okAsync, type ResultAsync } from "neverthrow";
import { table, type Table } from "./answer.js";
import { inAnyCase } from "./case-insensitive-choice.js";
import { wholeNumber, wholeNumberTo } from "./numbers.js";

/** The most rows that one list has. */
const MAX_ROWS = 1_000;

/** The option of the lowest amount. */
export const MIN_OPTION = ["--min <cents>", "the lowest amount", wholeNumber] as const;
/** The option of the highest amount. */
export const MAX_OPTION = ["--max <cents>", "the highest amount", wholeNumber] as const;

/** Creates the option of the channel of a list of `records`. */
export function channelOption(records: string) {
  return new Option("--channel <channel>", `list only ${records} on this channel`)
    .choices(PAY_CHANNELS)
    .argParser(inAnyCase(PAY_CHANNELS));
}

/** Returns the option of the most rows of a list of `records`. */
export function limitOption(records: string) {
  const description = `the maximum number of ${records}, at most ${MAX_ROWS}`;
  return ["--limit <number>", description, wholeNumberTo(MAX_ROWS), 100] as const;
}

/** Parses an option as a date, `YYYY-MM-DD`. */
export function dayOf(text: string): string {
  if (!isDate(text)) throw new InvalidArgumentError("The value must be a day, such as 2026-01-31.");
  return text;
}

/** The values of the options that lists of orders and of refunds share. */
interface FilterOptions {
  readonly app?: string | undefined;
  readonly channel?: PayChannel | undefined;
  /** The first and the last day in China on which a row was made. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** Returns the filter of the shared options. The end of the range is excluded. */
export function filterOf({ app, channel, from, until, min, max }: FilterOptions) {
  return {
    apps: app === undefined ? undefined : [app],
    payChannel: channel,
    ...periodOf({ from, until }),
    minAmount: min,
    maxAmount: max,
  };
}

/** Returns the period from a day to a day in China, both included. Its end is excluded. */
export function periodOf({ from, until }: Pick<FilterOptions, "from" | "until">) {
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

/** Rows of a list, and whether the list has older rows that were not read. */
export interface Rows<T> {
  readonly rows: readonly T[];
  readonly hasMore: boolean;
}

const PAGE = 100;
/** The number of pages after which a search for rare rows ends. Each page has a bounded cost. */
const MAX_PAGES = 100;

/** Reads the pages of a list until it has `limit` rows. */
export function readRows<T, P, E = StorageFailure>(
  limit: number,
  readPage: (page: { readonly before: P | undefined; readonly limit: number }) => ResultAsync<Page<T, P>, E>,
): ResultAsync<Rows<T>, E> {
  const readOn = (rows: readonly T[], before: P | undefined, pages: number): ResultAsync<Rows<T>, E> =>
    readPage({ before, limit: Math.min(PAGE, limit - rows.length) }).andThen(({ items, next }) => {
      const found = [...rows, ...items];
      if (next === undefined || found.length >= limit || pages >= MAX_PAGES)
        return okAsync({ rows: found, hasMore: next !== undefined });
      return readOn(found, next, pages + 1);
    });
  return readOn([], undefined, 1);
}

/** Returns a table of rows, and how to get the older rows that were left out. */
export function rowsText(
  titles: Table["titles"],
  lines: Table["rows"],
  { none, hasMore }: { readonly none: string; readonly hasMore: boolean },
): readonly (string | Table)[] {
  return [
    table(titles, lines, none),
    ...(hasMore ? ["There are older ones: set --until, more filters, or a higher --limit."] : []),
  ];
}
