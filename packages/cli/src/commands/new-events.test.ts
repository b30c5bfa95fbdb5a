import { EVENT_DELAY, type ListedEvent } from "@tillkit/core/operators";
import { okAsync } from "neverthrow";
import { expect, it } from "vitest";
import { newEvents } from "./new-events.js";

const SECOND = 1_000;

/** A host with a clock, whose pages have two events. */
function aHost() {
  const host = { now: 1_000 * SECOND, reads: 0 };
  const stored: ListedEvent[] = [];
  const shown: string[] = [];
  let endsAfter = Infinity;
  const events = newEvents(
    ({ from }) => {
      host.reads += 1;
      if (from === undefined) return okAsync({ items: [], hasMore: false, until: host.now });
      const later = stored.filter(({ at }) => at >= from).toSorted((left, right) => left.at - right.at);
      const items = later.slice(0, 2);
      const next = later.length > items.length ? items.at(-1)?.at : undefined;
      const hasMore = next !== undefined;
      return okAsync({ items, hasMore, until: hasMore ? Math.max(next, from + 1) : host.now });
    },
    () => host.reads >= endsAfter,
  );
  return {
    host,
    shown,
    start: events.start,
    store: (id: string, at: number) =>
      stored.push({ id, at, type: "order.paid", appId: "app_1", bizNo: id, cause: "PAID" }),
    poll: () => events.poll(({ id }) => shown.push(id)),
    endAfter: (reads: number) => {
      endsAfter = host.reads + reads;
    },
  };
}

it("shows each event of many pages once, also events that become visible late", async () => {
  const { host, shown, start, store, poll } = aHost();
  await start();
  const ids = Array.from({ length: 60 }, (_, index) => `e-${String(index)}`);
  for (const [index, id] of ids.entries()) store(id, host.now + index * 50);
  host.now += 4 * SECOND;
  await poll();
  expect(shown).toEqual(ids);
  store("late", host.now - 3 * SECOND + 1);
  for (let polls = 0; polls < 8; polls += 1) {
    host.now += 2 * SECOND;
    await poll();
  }
  expect(shown).toEqual([...ids, "late"]);
});

it("shows an event once if a clock is set back, or if the command was stopped between two pages", async () => {
  const { host, shown, start, store, poll, endAfter } = aHost();
  store("before", host.now - SECOND);
  await start();
  const ids = ["a", "b", "c", "d", "e"];
  for (const [index, id] of ids.entries()) store(id, host.now + index + 1);
  host.now += SECOND;
  endAfter(1);
  await poll();
  expect(shown).toEqual(["a"]);
  endAfter(Infinity);
  host.now += EVENT_DELAY;
  await poll();
  host.now += SECOND;
  await poll();
  host.now -= 5 * SECOND;
  await poll();
  expect(shown).toEqual(ids);
});
