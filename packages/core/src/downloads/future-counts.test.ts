import { okAsync, ResultAsync } from "neverthrow";
import { expect, it } from "vitest";
import { orThrow } from "../errors/or-throw.js";
import { stub } from "../testing/stubs.js";
import { changeCounts } from "./change-counts.js";
import type { CountFailure, DownloadsSource, UpsertedCounts } from "./downloads-source.js";
import { addDownloads, recordDownloads } from "./record-downloads.js";

const NOW = Date.UTC(2026, 0, 15, 12);
const TOMORROW = "2026-01-16";
const LATER = "2026-01-17";
const FUTURE = { name: "count.invalid", rule: "future" };

function open() {
  const stored: string[] = [];
  const downloads = stub<DownloadsSource>({
    upsert: (batches) =>
      ResultAsync.fromPromise(
        (async (): Promise<UpsertedCounts> => {
          for await (const batch of batches) for (const { date } of batch) stored.push(date);
          const { length: written } = stored;
          return { written, changed: written, added: written, unchanged: 0 };
        })(),
        (cause): CountFailure => ({ name: "storage.unavailable", cause }),
      ),
    increment: ({ date }) => {
      stored.push(date);
      return okAsync(undefined);
    },
    changeDays: ({ store, until }) => {
      stored.push(until);
      return okAsync({ store, changed: 1, before: [] });
    },
  });
  return { ports: { downloads, clock: { now: () => NOW, sleep: async () => undefined } }, stored };
}

const countOf = (date: string) =>
  ({ appId: "app_1", store: "store_01", date, newDownloads: 1, updateDownloads: 0 }) as const;
const daysUntil = (until: string) => ({ appId: "app_1", store: "store_01", from: "2026-01-15", until });
const COUNTS = { newDownloads: 1, updateDownloads: 0 };

it("stores counts until tomorrow", async () => {
  const { ports, stored } = open();
  await orThrow(recordDownloads(ports, [[countOf(TOMORROW)]]));
  await orThrow(addDownloads(ports, countOf(TOMORROW)));
  await orThrow(changeCounts(ports, daysUntil(TOMORROW), COUNTS));
  expect(stored).toEqual([TOMORROW, TOMORROW, TOMORROW]);
});

it("rejects counts of later days, in each function that stores counts", async () => {
  const { ports, stored } = open();
  const refusals = [
    await recordDownloads(ports, [[countOf(LATER)]]),
    await addDownloads(ports, countOf(LATER)),
    await changeCounts(ports, daysUntil(LATER), COUNTS),
  ];
  expect(refusals.map((result) => result._unsafeUnwrapErr())).toEqual([FUTURE, FUTURE, FUTURE]);
  expect(stored).toEqual([]);
});
