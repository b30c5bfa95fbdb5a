import type { StorageFailure } from "@tillkit/core/errors";
import type { ResultAsync } from "neverthrow";
import { CSV_START, csvLine } from "./csv.js";

/** The number of rows that an export reads at once. */
const PAGE = 500;

/** A page of a list, and the position after which the next page begins. */
interface ListPage<T, P> {
  readonly items: readonly T[];
  readonly next?: P;
}

/**
 * Writes all pages of a list as CSV, in the order of the list.
 *
 * Throws if the storage fails: an incomplete file must not look complete.
 *
 * @param read - reads a page of the list.
 * @param lineOf - returns the line of an item.
 */
export async function* listCsv<T, P>(
  header: readonly string[],
  read: (page: {
    readonly before: P | undefined;
    readonly limit: number;
  }) => ResultAsync<ListPage<T, P>, StorageFailure>,
  lineOf: (item: T) => string,
): AsyncGenerator<string, void, undefined> {
  yield `${CSV_START}${csvLine(header)}`;
  let before: P | undefined;
  do {
    const page = await read({ before, limit: PAGE });
    if (page.isErr()) throw new Error(`The export ended early: ${page.error.name}.`);
    const { items, next } = page.value;
    yield items.map(lineOf).join("");
    before = next;
  } while (before !== undefined);
}
