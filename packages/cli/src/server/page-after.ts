import { err, ok, type Result, ResultAsync } from "neverthrow";
import { type CliFailure, usage } from "../failure.js";

/** A page of a list of a server. */
interface ServerPage<T> {
  readonly items: readonly T[];
  /** The position after which the next page begins. */
  readonly older?: string | undefined;
}

/** The number of pages after which the search for an id ends. Each page has a bounded cost. */
const MAX_PAGES = 100;

/**
 * Reads the page that begins after the row with an id, or the first page.
 *
 * The positions of a server are not ids, so this reads the list up to the row.
 */
export function pageAfter<T extends { readonly id: string }, P extends ServerPage<T>>(
  after: string | undefined,
  limit: number,
  read: (before: string | undefined) => ResultAsync<P & ServerPage<T>, CliFailure>,
): ResultAsync<P & ServerPage<T>, CliFailure> {
  return new ResultAsync(readAfter(after, limit, read));
}

async function readAfter<T extends { readonly id: string }, P extends ServerPage<T>>(
  after: string | undefined,
  limit: number,
  read: (before: string | undefined) => ResultAsync<P & ServerPage<T>, CliFailure>,
): Promise<Result<P & ServerPage<T>, CliFailure>> {
  let before: string | undefined;
  let found: readonly T[] | undefined = after === undefined ? [] : undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await read(before);
    if (page.isErr()) return page;
    const { items, older } = page.value;
    const place = found === undefined ? items.findIndex(({ id }) => id === after) : -1;
    if (found !== undefined) found = [...found, ...items];
    else if (place >= 0) found = items.slice(place + 1);
    if (found !== undefined && (found.length >= limit || older === undefined))
      return ok({ ...page.value, items: found.slice(0, limit) });
    if (older === undefined) break;
    before = older;
  }
  return err(usage("No row of the list has the id of --before. Repeat the list from its start."));
}
