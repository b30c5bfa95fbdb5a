import type { StorageFailure } from "@tillkit/core/errors";
import { type Cell, CSV_START, csvLine } from "@tillkit/core/operators";
import type { ResultAsync } from "neverthrow";

/** The number of rows that an export reads at once. */
const PAGE = 500;

/** A page of a list, and the position after which the next page begins. */
interface ListPage<T, P> {
  readonly items: readonly T[];
  readonly next?: P;
}

/** The columns of a list in their order: their names, and the cell of an item. */
export type CsvColumns<T> = Readonly<Record<string, (item: T) => Cell>>;

/**
 * Writes all pages of a list as CSV, in the order of the list.
 *
 * Throws if the storage fails: an incomplete file must not look complete.
 *
 * @param read - reads a page of the list.
 */
export async function* listCsv<T, P>(
  columns: CsvColumns<T>,
  read: (page: {
    readonly before: P | undefined;
    readonly limit: number;
  }) => ResultAsync<ListPage<T, P>, StorageFailure>,
): AsyncGenerator<string, void, undefined> {
  yield `${CSV_START}${csvLine(Object.keys(columns))}`;
  const cells = Object.values(columns);
  const lineOf = (item: T) => csvLine(cells.map((cellOf) => cellOf(item)));
  let before: P | undefined;
  do {
    const page = await read({ before, limit: PAGE });
    if (page.isErr()) throw new Error(`The export ended early: ${page.error.name}.`);
    const { items, next } = page.value;
    yield items.map(lineOf).join("");
    before = next;
  } while (before !== undefined);
}
