import { EVENT_DELAY, type ListedEvent, type ListedEvents } from "@tillkit/core/operators";
import { err, ok, type Result, type ResultAsync } from "neverthrow";
import type { CliFailure } from "../failure.js";

/** The most entries of timelines that one page has. */
const PAGE = 1_000;

/** Reads a page of the events from a time on, see `listEvents` of core. */
export type ReadPage = (page: {
  readonly from: number | undefined;
  readonly limit: number;
}) => ResultAsync<ListedEvents, CliFailure>;

/**
 * Reads new events, each event once.
 *
 * A poll reads all new events, and again the events of the last {@link EVENT_DELAY}: a slow
 * transaction may commit an event after a newer event was already read.
 *
 * @param hasEnded - ends a poll before its next page.
 */
export function newEvents(readPage: ReadPage, hasEnded: () => boolean) {
  let from = 0;
  const known = new Map<string, number>();
  const poll = async (onEvent: (event: ListedEvent) => void): Promise<Result<void, CliFailure>> => {
    let hasMore = true;
    while (hasMore && !hasEnded()) {
      const page = await readPage({ from, limit: PAGE });
      if (page.isErr()) return err(page.error);
      const { items, until } = page.value;
      for (const event of items.filter(({ id }) => !known.has(id))) {
        known.set(event.id, event.at);
        onEvent(event);
      }
      ({ hasMore } = page.value);
      from = hasMore ? until : until - EVENT_DELAY;
      // The next poll reads the events of the last EVENT_DELAY again. A server whose clock is
      // behind may return even earlier events, so their ids stay known for another EVENT_DELAY.
      for (const [id, at] of known) if (at < from - EVENT_DELAY) known.delete(id);
    }
    return ok(undefined);
  };
  return {
    /** Skips all events that exist now. The next poll returns only later events. */
    start: async (): Promise<Result<void, CliFailure>> => {
      const page = await readPage({ from: undefined, limit: 1 });
      if (page.isErr()) return err(page.error);
      from = page.value.until - EVENT_DELAY;
      return poll(() => undefined);
    },
    poll,
  };
}
