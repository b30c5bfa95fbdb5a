import type { DailyCount, Stores } from "@tillkit/core";
import { type StoreCounts, MAX_UNKNOWN_APPS_LISTED } from "@tillkit/core/ports";
import { beforeEach, describe, expect, it } from "vitest";
import { aCount, anApp, UNUSUAL_TEXT, DAY, CONCURRENT_CALLERS } from "../../../support/fixtures.js";
import {
  expectFailure,
  expectOk,
  type Opened,
  openBeforeEach,
  race,
} from "../../../support/open-before-each.js";

const EVER = ["2000-01-01", "2999-12-31"] as const;

/** Returns the daily counts from `start` on, with the days of each store in order. */
function unpacked(appId: string, start: string, stores: readonly StoreCounts[]): readonly DailyCount[] {
  return stores.flatMap(({ store, days, newDownloads, updateDownloads }) => {
    expect([newDownloads.length, updateDownloads.length]).toEqual([days.length, days.length]);
    const counts = days.map((day, index) => ({
      appId,
      store,
      date: new Date(Date.parse(start) + day * DAY).toISOString().slice(0, 10),
      newDownloads: newDownloads[index] ?? NaN,
      updateDownloads: updateDownloads[index] ?? NaN,
    }));
    return counts.toSorted((left, right) => Date.parse(left.date) - Date.parse(right.date));
  });
}

/** Store names that readers could mistake for the sum of all stores. */
const RESERVED = ["All Stores", "all  stores", "\uff21ll Stores", "All\u200b Stores"];

/** Changes to a count that make it invalid, with the rule that they break. */
const INVALID: readonly (readonly [Partial<DailyCount>, string])[] = [
  [{ newDownloads: 1.5 }, "count"],
  [{ updateDownloads: -9 }, "count"],
  [{ newDownloads: NaN }, "count"],
  [{ newDownloads: Number.MAX_SAFE_INTEGER + 1 }, "count"],
  [{ date: "2026-02-30" }, "date"],
  [{ date: "2026-1-5" }, "date"],
  [{ date: "20260105" }, "date"],
  [{ date: "" }, "date"],
  [{ store: "" }, "store"],
  [{ store: "store\u0000" }, "store"],
  [{ store: "store\ud83d" }, "store"],
];

/** Tests every requirement of `DownloadsSource`. `open` returns empty stores for each test. */
export function downloadsSourceContract(
  adapter: string,
  open: () => Promise<Opened<Pick<Stores, "apps" | "downloads">>>,
): void {
  describe(`DownloadsSource contract: ${adapter}`, () => {
    const stores = openBeforeEach(open);
    const source = () => stores().downloads;
    const register = (appId: string) => stores().apps.insertOnce(anApp({ appId }));
    beforeEach(() => expectOk(register("app_1")));
    const read = async (appId = "app_1", start: string = EVER[0], end: string = EVER[1]) =>
      unpacked(appId, start, await expectOk(source().read(appId, start, end)));
    const upsert = (...counts: readonly DailyCount[]) => expectOk(source().upsert([counts]));

    describe("read", () => {
      it("returns the counts from start to end, both included", async () => {
        const days = ["2024-02-28", "2024-02-29", "2024-03-01", "2024-03-02"].map((date) => aCount({ date }));
        await upsert(...days);
        expect(await read("app_1", "2024-02-29", "2024-03-01")).toEqual([days[1], days[2]]);
        expect(await read("app_1", "2024-02-29", "2024-02-29")).toEqual([days[1]]);
        expect(await read("app_1", "2023-01-01", "2024-02-27")).toEqual([]);
      });

      it("returns the day of each count relative to the start, and omits days and stores without a count", async () => {
        await upsert(
          aCount({ date: "2024-03-01", newDownloads: 1, updateDownloads: 2 }),
          aCount({ date: "2024-02-27", newDownloads: 0, updateDownloads: 0 }),
          aCount({ date: "2024-02-26", store: "store_02" }),
        );
        const [only, ...others] = await expectOk(source().read("app_1", "2024-02-27", "2024-03-02"));
        expect(others).toEqual([]);
        expect(only?.store).toBe("store_01");
        const counts = only?.days.map((day, at) => [day, only.newDownloads[at], only.updateDownloads[at]]);
        // The order of the days is not defined.
        expect(new Set(counts)).toEqual(
          new Set([
            [0, 0, 0],
            [3, 1, 2],
          ]),
        );
      });

      it(`returns to each of ${CONCURRENT_CALLERS} concurrent callers its own earlier writes`, async () => {
        const seen = await race(CONCURRENT_CALLERS, (caller) => {
          const store = `store_${caller}`;
          return source()
            .increment(aCount({ store }))
            .andThen(() => source().read("app_1", ...EVER))
            .map((counts) => counts.some((entry) => entry.store === store));
        });
        expect(seen).not.toContain(false);
      });

      it("sorts by store", async () => {
        const [a, b] = ["2026-01-09", "2026-01-10"];
        const places = [
          ["store_10", b],
          ["others", a],
          ["store_02", b],
          ["store_10", a],
          ["store_02", a],
        ];
        await upsert(...places.map(([store = "", date = ""]) => aCount({ store, date })));
        const listed = (await read()).map(({ store, date }) => `${store} ${date}`);
        expect(listed).toEqual([
          `others ${a}`,
          `store_02 ${a}`,
          `store_02 ${b}`,
          `store_10 ${a}`,
          `store_10 ${b}`,
        ]);
      });

      it("never returns another app's counts", async () => {
        const [left, right] = [
          aCount({ appId: "app_left" }),
          aCount({ appId: "app_right", newDownloads: 9 }),
        ];
        for (const { appId } of [left, right]) await expectOk(register(appId));
        await upsert(left, right);
        await expectOk(source().increment({ ...left, newDownloads: 1, updateDownloads: 0 }));
        expect(await read("app_right")).toEqual([right]);
        expect(await read("app_left")).toEqual([{ ...left, newDownloads: left.newDownloads + 1 }]);
        expect(await read("app_other")).toEqual([]);
      });
    });

    describe("upsert", () => {
      it("stores every count as given, including large counts and unusual store names", async () => {
        const count = aCount({ store: UNUSUAL_TEXT, newDownloads: 3_000_000_000, updateDownloads: 0 });
        const largest = aCount({ store: "b", newDownloads: Number.MAX_SAFE_INTEGER });
        await upsert(count, largest);
        expect(await read()).toEqual([count, largest]);
      });

      it("changes nothing if the same counts are written twice", async () => {
        const counts = [aCount(), aCount({ store: "store_02" })];
        expect(await upsert(...counts)).toEqual({ written: 2, changed: 2, added: 2, unchanged: 0 });
        expect(await upsert(...counts)).toEqual({ written: 2, changed: 0, added: 0, unchanged: 2 });
        expect(await read()).toEqual(counts);
      });

      it("replaces the counts of a day that was written before", async () => {
        await upsert(aCount({ newDownloads: 100, updateDownloads: 100 }));
        const corrected = aCount({ newDownloads: 1, updateDownloads: 0 });
        await upsert(corrected);
        expect(await read()).toEqual([corrected]);
      });

      it("stores the later of two counts of one day, and returns how many days changed", async () => {
        const [first, second] = [aCount({ newDownloads: 1 }), aCount({ newDownloads: 2 })];
        const other = aCount({ store: "store_02" });
        const batches = [[first, other], [], [first, second]];
        expect(await expectOk(source().upsert(batches))).toMatchObject({ written: 4, changed: 2, added: 2 });
        expect(await expectOk(source().upsert(batches))).toMatchObject({
          written: 4,
          changed: 0,
          unchanged: 2,
        });
        const last = await expectOk(source().upsert([[other], [first]]));
        expect(last).toEqual({ written: 2, changed: 1, added: 0, unchanged: 1 });
        expect(await read()).toEqual([first, other]);
      });

      it("writes batches as they arrive, and keeps no batch if the next batch throws", async () => {
        const stored = aCount({ newDownloads: 5 });
        await upsert(stored);
        async function* batches(end: () => readonly DailyCount[]) {
          yield [aCount({ newDownloads: 6 })];
          yield [aCount({ store: "store_02" })];
          yield end();
        }
        const cause = new Error("the file ends in the middle");
        const broken = await source().upsert(
          batches(() => {
            throw cause;
          }),
        );
        expect(broken._unsafeUnwrapErr()).toEqual({ name: "storage.unavailable", cause });
        expect(await read()).toEqual([stored]);
        const whole = source().upsert(batches(() => []));
        expect(await expectOk(whole)).toMatchObject({ written: 2, changed: 2 });
        expect(await read()).toHaveLength(2);
      });

      it("writes nothing of a file with unknown apps, and returns their ids", async () => {
        const stored = aCount({ newDownloads: 5 });
        await upsert(stored);
        const file = ["app_1", "app_b", "App_1", "app_1 "].map((appId) => [aCount({ appId })]);
        const appIds = ["App_1", "app_1 ", "app_b"];
        expect(await expectFailure(source().upsert(file))).toEqual({ name: "app.unknown", appIds });
        for (const appId of appIds) await expectOk(register(appId));
        expect(await read()).toEqual([stored]);
        for (const appId of appIds) expect(await read(appId)).toEqual([]);
        expect(await expectOk(source().upsert(file))).toMatchObject({ written: 4, changed: 4 });
      });

      it(`returns ${MAX_UNKNOWN_APPS_LISTED} of many unknown app ids`, async () => {
        const appIds = Array.from({ length: 50 }, (_, index) => `app_${index + 10}`);
        const file = [appIds.toReversed().map((appId) => aCount({ appId }))];
        expect(await expectFailure(source().upsert(file))).toEqual({
          name: "app.unknown",
          appIds: appIds.slice(0, MAX_UNKNOWN_APPS_LISTED),
        });
      });

      it("writes for a disabled app", async () => {
        await expectOk(stores().apps.setDisabled("app_1", true, 2));
        expect(await upsert(aCount())).toMatchObject({ written: 1, changed: 1 });
      });

      it(`writes a file or reports that its app is missing in each of ${CONCURRENT_CALLERS} calls concurrent with the app's creation`, async () => {
        const files = Array.from({ length: CONCURRENT_CALLERS }, (_, caller) =>
          aCount({ appId: "app_new", store: `s${caller}` }),
        );
        const [, ...reported] = await Promise.all([
          register("app_new"),
          ...files.map((count) => source().upsert([[aCount({ store: count.store })], [count]])),
        ]);
        const written = files.filter((_, caller) => reported[caller]?.isOk());
        const stored = new Set((await read("app_new")).map(({ store }) => store));
        expect(stored).toEqual(new Set(written.map(({ store }) => store)));
        expect(new Set((await read()).map(({ store }) => store))).toEqual(stored);
      });

      it("accepts no counts, and very many", async () => {
        await upsert();
        expect(await read()).toEqual([]);
        const many = Array.from({ length: 15_000 }, (_, index) =>
          aCount({
            store: `store_${String(Math.floor(index / 100)).padStart(5, "0")}`,
            date: new Date(Date.UTC(2026, 0, 1 + (index % 100))).toISOString().slice(0, 10),
            newDownloads: index,
          }),
        );
        await upsert(...many);
        expect(await read()).toEqual(many);
      });

      it.each(INVALID)("writes nothing of a file with %j", async (changes, rule) => {
        const stored = aCount({ newDownloads: 5 });
        await upsert(stored);
        const file = [[aCount({ newDownloads: 6 })], [aCount({ store: "store_02" }), aCount(changes)]];
        expect(await expectFailure(source().upsert(file))).toEqual({ name: "count.invalid", rule });
        expect(await read()).toEqual([stored]);
      });

      it("writes nothing of a file with a reserved store name", async () => {
        for (const store of RESERVED) {
          const good = aCount();
          const file = [[good], [aCount({ store: "store_02" }), aCount({ store })]];
          expect(await expectFailure(source().upsert(file))).toEqual({ name: "store.reserved" });
          expect(await read()).toEqual([]);
        }
      });

      it(`writes all of a file or none of it, also for ${CONCURRENT_CALLERS} concurrent files of the same days in different orders`, async () => {
        const names = Array.from({ length: 10 }, (_, index) => `store_${index}`);
        const seen = await race(CONCURRENT_CALLERS, (caller) => {
          const file = names.map((store) => aCount({ store, newDownloads: caller, updateDownloads: caller }));
          // Each file starts with another store, so writers that lock rows in file order would
          // deadlock.
          const turned = [...file.slice(caller % 10), ...file.slice(0, caller % 10)];
          const counts = caller % 2 === 0 ? turned : turned.toReversed();
          return source()
            .upsert(caller % 3 === 0 ? [counts] : counts.map((count) => [count]))
            .andThen(() => source().read("app_1", ...EVER))
            .map((found) => unpacked("app_1", EVER[0], found));
        });
        for (const counts of [...seen, await read()]) {
          expect(counts).toHaveLength(names.length);
          expect(new Set(counts.map(({ newDownloads }) => newDownloads)).size).toBe(1);
        }
      });
    });

    describe("increment", () => {
      it.each(INVALID)("adds nothing for %j", async (changes, rule) => {
        const stored = aCount({ newDownloads: 5 });
        await upsert(stored);
        const refused = await expectFailure(source().increment(aCount(changes)));
        expect(refused).toEqual({ name: "count.invalid", rule });
        expect(await read()).toEqual([stored]);
      });

      it(`keeps a day readable whose sum ${CONCURRENT_CALLERS} concurrent calls would make too large`, async () => {
        const half = Math.floor(Number.MAX_SAFE_INTEGER / 2);
        await upsert(aCount({ newDownloads: 0, updateDownloads: 0 }));
        const added = await Promise.all(
          Array.from({ length: CONCURRENT_CALLERS }, (_, caller) =>
            source().increment(
              caller % 2 === 0
                ? aCount({ newDownloads: half, updateDownloads: 0 })
                : aCount({ newDownloads: 0, updateDownloads: half }),
            ),
          ),
        );
        for (const outcome of added)
          if (outcome.isErr()) expect(outcome.error).toEqual({ name: "count.invalid", rule: "count" });
        expect(added.filter((outcome) => outcome.isOk())).toHaveLength(4);
        expect(await read()).toEqual([aCount({ newDownloads: 2 * half, updateDownloads: 2 * half })]);
      });

      it("creates the counts of a day that has no counts yet", async () => {
        await expectOk(source().increment(aCount({ newDownloads: 2, updateDownloads: 0 })));
        expect(await read()).toEqual([aCount({ newDownloads: 2, updateDownloads: 0 })]);
      });

      it("adds only to the counts of one store and day", async () => {
        const [day, other, next] = [aCount(), aCount({ store: "store_02" }), aCount({ date: "2026-01-16" })];
        await upsert(day, other, next);
        await expectOk(source().increment(aCount({ newDownloads: 1, updateDownloads: 10 })));
        const raised = aCount({
          newDownloads: day.newDownloads + 1,
          updateDownloads: day.updateDownloads + 10,
        });
        expect(await read()).toEqual([raised, next, other]);
      });

      it("counts nothing for an unknown app", async () => {
        const count = aCount({ appId: "app_2" });
        const refused = { name: "app.unknown", appIds: ["app_2"] };
        expect(await expectFailure(source().increment(count))).toEqual(refused);
        await expectOk(register("app_2"));
        expect(await read("app_2")).toEqual([]);
        await expectOk(source().increment(count));
        expect(await read("app_2")).toEqual([count]);
      });

      it("counts nothing for a reserved store name", async () => {
        for (const store of RESERVED) {
          expect(await expectFailure(source().increment(aCount({ store })))).toEqual({
            name: "store.reserved",
          });
        }
        expect(await read()).toEqual([]);
      });

      it(`counts each of ${CONCURRENT_CALLERS} calls concurrent with the app's creation, or reports that the app is missing`, async () => {
        const [, ...reported] = await Promise.all([
          register("app_new"),
          ...Array.from({ length: CONCURRENT_CALLERS }, () =>
            source().increment(aCount({ appId: "app_new", newDownloads: 1, updateDownloads: 0 })),
          ),
        ]);
        const counted = reported.filter((one) => one.isOk()).length;
        const stored = (await read("app_new")).map(({ newDownloads }) => newDownloads);
        expect(stored).toEqual(counted === 0 ? [] : [counted]);
      });

      it(`counts every one of ${CONCURRENT_CALLERS} concurrent calls`, async () => {
        await race(CONCURRENT_CALLERS, () =>
          source().increment(aCount({ newDownloads: 1, updateDownloads: 2 })),
        );
        expect(await read()).toEqual([
          aCount({ newDownloads: CONCURRENT_CALLERS, updateDownloads: 2 * CONCURRENT_CALLERS }),
        ]);
      });
    });
  });
}
