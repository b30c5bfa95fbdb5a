import type { DailyCount, Stores } from "@tillkit/core";
import { storesOf } from "@tillkit/core/operators";
import { MAX_STORE_NAMES, type StoreChange, storeFinder, type UpsertOptions } from "@tillkit/core/ports";
import { beforeEach, describe, expect, it } from "vitest";
import { aCount, anApp, CONCURRENT_CALLERS } from "../../../support/fixtures.js";
import { expectFailure, expectOk, type Opened, openBeforeEach } from "../../../support/open-before-each.js";
import { anAuditEntry } from "../../../support/operator-fixtures.js";

/** Twelve spellings of one store: case, width, spaces, invisible characters, Unicode forms. */
const SPELLINGS = [
  "Café Store",
  "café store",
  "CAFÉ STORE",
  "Cafe\u0301 Store",
  "CaféStore",
  " Café Store ",
  "Café  Store",
  "Café\u00a0Store",
  "Café\u3000Store",
  "Ｃａｆé Ｓｔｏｒｅ",
  "Café\u200b Store",
  "Ca\u00adfé Store\ufeff",
];

const DAYS = ["2026-01-15", "2026-01-16", "2026-01-17"] as const;

/** Tests the requirements of `DownloadsSource` for the registry of stores and for changed days. */
export function downloadsRegistryContract(
  adapter: string,
  open: () => Promise<Opened<Pick<Stores, "apps" | "downloads" | "auditLog">>>,
): void {
  describe(`DownloadsSource registry contract: ${adapter}`, () => {
    const stores = openBeforeEach(open);
    const source = () => stores().downloads;
    beforeEach(async () => {
      for (const appId of ["app_1", "app_2"]) await expectOk(stores().apps.insertOnce(anApp({ appId })));
    });
    const upsert = (counts: readonly DailyCount[], options?: UpsertOptions) =>
      expectOk(source().upsert([counts], options));
    const registry = async () => storesOf(await expectOk(source().storeNames()));
    const log = () => expectOk(stores().auditLog.read(0, 100));
    const change = (one: StoreChange, dryRun = false) =>
      source().changeStores(one, dryRun, anAuditEntry({ action: "store.merge" }));
    /** Returns the new downloads of each store, by day. */
    const read = async (appId = "app_1") =>
      Object.fromEntries(
        (await expectOk(source().read(appId, "2026-01-01", "2026-01-31"))).map(
          ({ store, days, newDownloads }) => [
            store,
            Object.fromEntries(days.map((day, index) => [day + 1, newDownloads[index]])),
          ],
        ),
      );

    describe("upsert", () => {
      it("stores twelve spellings of a store under the spelling that came first", async () => {
        const [first = "", ...others] = SPELLINGS;
        const counts = SPELLINGS.map((store, index) =>
          aCount({ store, date: `2026-01-${String(index + 1).padStart(2, "0")}`, newDownloads: index }),
        );
        expect(await upsert(counts)).toEqual({ written: 12, changed: 12, added: 12, unchanged: 0 });
        expect(Object.keys(await read())).toEqual([first]);
        expect(await registry()).toEqual([{ store: first, aliases: others.toSorted() }]);
        expect(await upsert(counts)).toEqual({ written: 12, changed: 0, added: 0, unchanged: 12 });
      });

      it("stores the later count of a day that two spellings have", async () => {
        await upsert([aCount({ store: "Huawei" })]);
        const counts = [
          aCount({ store: "HUAWEI", newDownloads: 8 }),
          aCount({ store: "huawei", newDownloads: 9 }),
        ];
        expect(await upsert(counts)).toMatchObject({ changed: 1, added: 0 });
        expect(await read()).toEqual({ Huawei: { 15: 9 } });
      });

      it("refuses unknown stores with similar names if it is strict, and stores nothing", async () => {
        await upsert([aCount({ store: "Huawei" }), aCount({ store: "Xiaomi" })]);
        const file = ["HUAWEI", "Huawai", "nothing like it"].map((store) =>
          aCount({ store, newDownloads: 99 }),
        );
        expect(await expectFailure(source().upsert([file], { strict: true }))).toEqual({
          name: "store.unknown",
          stores: [
            { name: "Huawai", near: ["Huawei"] },
            { name: "nothing like it", near: [] },
          ],
        });
        expect(await read()).toMatchObject({ Huawei: { 15: 3 } });
        expect((await registry()).map(({ aliases }) => aliases)).toEqual([[], []]);
        expect(await upsert(file.slice(0, 1), { strict: true })).toMatchObject({ changed: 1, added: 0 });
      });

      it("reports each day that is new or changed, by app, store and day", async () => {
        const [day, next, last] = DAYS.map((date) => aCount({ date }));
        await upsert([day, next].map((count) => count ?? aCount()));
        const file = [
          aCount({ appId: "app_2", store: "a" }),
          aCount({ date: DAYS[2] }),
          aCount({ date: DAYS[1], newDownloads: 9 }),
          aCount({ date: DAYS[0] }),
        ];
        const seen: unknown[] = [];
        const report = await upsert(file, { onChange: (one) => seen.push(one) });
        expect(report).toEqual({ written: 4, changed: 3, added: 2, unchanged: 1 });
        const before = { newDownloads: 3, updateDownloads: 5 };
        expect(seen).toEqual([{ ...file[2], before }, last, file[0]]);
        await upsert(file, { onChange: (one) => seen.push(one) });
        expect(seen).toHaveLength(3);
      });

      it(`adds one store for ${CONCURRENT_CALLERS} concurrent spellings of it, and loses no day`, async () => {
        await Promise.all(
          Array.from({ length: CONCURRENT_CALLERS }, (_, caller) =>
            upsert([
              aCount({
                store: SPELLINGS[caller % SPELLINGS.length] ?? "",
                date: `2026-01-${String((caller % 28) + 1).padStart(2, "0")}`,
              }),
            ]),
          ),
        );
        const [only, ...others] = Object.values(await read());
        expect(others).toEqual([]);
        expect(Object.keys(only ?? {})).toHaveLength(Math.min(28, CONCURRENT_CALLERS));
        expect(await registry()).toHaveLength(1);
      });

      it(`refuses a file with more than ${MAX_STORE_NAMES} names of stores`, async () => {
        const many = Array.from({ length: MAX_STORE_NAMES + 1 }, (_, nth) => aCount({ store: `s${nth}` }));
        expect(await expectFailure(source().upsert([many]))).toEqual({ name: "store.too-many" });
        expect(await read()).toEqual({});
      });
    });

    describe("increment", () => {
      it("adds to the store of a spelling or an alias", async () => {
        await upsert([aCount({ store: "Huawei" })]);
        await expectOk(change({ kind: "alias", alias: "华为", store: "Huawei" }));
        for (const store of ["HUAWEI", "华为", "Huawei"])
          await expectOk(source().increment(aCount({ store, newDownloads: 1 })));
        expect(await read()).toEqual({ Huawei: { 15: 6 } });
      });
    });

    describe("changeStores", () => {
      it("adds a store once, and refuses a spelling of another store", async () => {
        expect(await expectOk(change({ kind: "add", store: "Huawei" }))).toMatchObject({ changed: true });
        expect(await expectOk(change({ kind: "add", store: "Huawei" }))).toMatchObject({ changed: false });
        const refused = await expectFailure(change({ kind: "add", store: "HUAWEI" }));
        expect(refused).toEqual({ name: "store.exists", store: "Huawei" });
        expect(await registry()).toEqual([{ store: "Huawei", aliases: [] }]);
        expect(await log()).toHaveLength(1);
      });

      it("gives a store an alias, moves the alias, and refuses the name of a store", async () => {
        await upsert([aCount({ store: "Huawei" }), aCount({ store: "Xiaomi" })]);
        await expectOk(change({ kind: "alias", alias: "华为", store: "huawei" }));
        await expectOk(change({ kind: "alias", alias: "华为", store: "Xiaomi" }));
        expect(await registry()).toEqual([
          { store: "Huawei", aliases: [] },
          { store: "Xiaomi", aliases: ["华为"] },
        ]);
        const refused = await expectFailure(change({ kind: "alias", alias: "Xiaomi", store: "Huawei" }));
        expect(refused).toEqual({ name: "store.exists", store: "Xiaomi" });
      });

      it("renames a store in every app, and keeps the old names as aliases", async () => {
        await upsert([aCount({ store: "Hw" }), aCount({ appId: "app_2", store: "HW", newDownloads: 7 })]);
        const renamed = await expectOk(change({ kind: "rename", store: "hw", to: "Huawei" }));
        expect(renamed).toEqual({ store: "Huawei", changed: true, movedDays: 2, daysInBoth: 0 });
        expect([await read(), await read("app_2")]).toEqual([{ Huawei: { 15: 3 } }, { Huawei: { 15: 7 } }]);
        expect(await registry()).toEqual([{ store: "Huawei", aliases: ["HW", "Hw"] }]);
        expect(await expectOk(change({ kind: "rename", store: "Hw", to: "Huawei" }))).toMatchObject({
          changed: false,
        });
        await upsert([aCount({ store: "Hw", newDownloads: 4 })]);
        expect(await read()).toEqual({ Huawei: { 15: 4 } });
        expect(await log()).toHaveLength(1);
      });

      it("refuses to rename a store to the name of another store", async () => {
        await upsert([aCount({ store: "Huawei" }), aCount({ store: "Xiaomi" })]);
        const refused = await expectFailure(change({ kind: "rename", store: "Xiaomi", to: "HUAWEI" }));
        expect(refused).toEqual({ name: "store.exists", store: "Huawei" });
        expect(Object.keys(await read())).toEqual(["Huawei", "Xiaomi"]);
      });

      it("merges a store into another store, which then gets the counts of later files", async () => {
        await upsert([aCount({ store: "Huawei" }), aCount({ store: "华为", date: DAYS[1] })]);
        const merge = { kind: "merge", store: "华为", into: "Huawei", days: "refuse" } as const;
        expect(await expectOk(change(merge))).toEqual({
          store: "Huawei",
          changed: true,
          movedDays: 1,
          daysInBoth: 0,
        });
        await upsert([aCount({ store: "华为", date: DAYS[2] })]);
        expect(await read()).toEqual({ Huawei: { 15: 3, 16: 3, 17: 3 } });
        expect(await registry()).toEqual([{ store: "Huawei", aliases: ["华为"] }]);
        expect(await expectOk(change(merge))).toMatchObject({ changed: false });
      });

      const both = () =>
        upsert([
          aCount({ store: "Huawei", newDownloads: 1, updateDownloads: 2 }),
          aCount({ store: "华为", newDownloads: 10, updateDownloads: 20 }),
          aCount({ store: "华为", newDownloads: 30, date: DAYS[1] }),
        ]);

      it.each([
        ["sum", { 15: 11, 16: 30 }],
        ["keep", { 15: 1, 16: 30 }],
      ] as const)(
        "merges days that both stores have with %s, and audits their counts",
        async (days, counts) => {
          await both();
          const merge = { kind: "merge", store: "华为", into: "Huawei", days } as const;
          const wanted = { store: "Huawei", changed: true, movedDays: 1, daysInBoth: 1 };
          expect(await expectOk(change(merge, true))).toEqual(wanted);
          expect(Object.keys(await read())).toEqual(["Huawei", "华为"]);
          expect(await log()).toEqual([]);
          expect(await expectOk(change(merge))).toEqual(wanted);
          expect(await read()).toEqual({ Huawei: counts });
          const [entry] = await log();
          expect(JSON.parse(entry?.detail ?? "")).toEqual({
            before: { days: [["app_1", DAYS[0], 10, 20, 1, 2]] },
          });
        },
      );

      it("refuses to merge days that both stores have", async () => {
        await both();
        const merge = { kind: "merge", store: "华为", into: "Huawei", days: "refuse" } as const;
        expect(await expectFailure(change(merge))).toEqual({ name: "store.days-in-both", days: 1 });
        expect(await read()).toEqual({ Huawei: { 15: 1 }, 华为: { 15: 10, 16: 30 } });
        expect(await registry()).toHaveLength(2);
        expect(await log()).toEqual([]);
      });

      it("refuses a sum that is too large for a count", async () => {
        const newDownloads = Number.MAX_SAFE_INTEGER;
        await upsert([aCount({ store: "a", newDownloads }), aCount({ store: "b", newDownloads: 1 })]);
        const merge = { kind: "merge", store: "b", into: "a", days: "sum" } as const;
        expect(await expectFailure(change(merge))).toEqual({ name: "count.invalid", rule: "count" });
        expect(Object.keys(await read())).toEqual(["a", "b"]);
      });

      it("refuses stores that the registry does not have", async () => {
        await upsert([aCount({ store: "Huawei" })]);
        for (const one of [
          { kind: "alias", alias: "x", store: "Huawai" },
          { kind: "rename", store: "Huawai", to: "x" },
          { kind: "merge", store: "Huawai", into: "Huawei", days: "sum" },
          { kind: "merge", store: "Huawei", into: "Huawai", days: "sum" },
        ] as const)
          expect(await expectFailure(change(one))).toEqual({
            name: "store.unknown",
            stores: [{ name: "Huawai", near: ["Huawei"] }],
          });
      });

      it(`loses none of ${CONCURRENT_CALLERS} increments and files concurrent with a merge`, async () => {
        await upsert([aCount({ store: "old", newDownloads: 0 }), aCount({ store: "new", newDownloads: 0 })]);
        const merge = { kind: "merge", store: "old", into: "new", days: "sum" } as const;
        const day = (caller: number) => `2026-01-${String((caller % 14) + 1).padStart(2, "0")}`;
        await Promise.all([
          ...Array.from({ length: CONCURRENT_CALLERS }, (_, caller) =>
            expectOk(source().increment(aCount({ store: "old", newDownloads: 1 }))).then(() =>
              upsert([aCount({ store: caller % 2 === 0 ? "old" : "new", date: day(caller) })]),
            ),
          ),
          expectOk(change(merge)),
        ]);
        const counts = await read();
        expect(Object.keys(counts)).toEqual(["new"]);
        expect(counts["new"]?.[15]).toBe(CONCURRENT_CALLERS);
        expect(Object.keys(counts["new"] ?? {})).toHaveLength(1 + Math.min(14, CONCURRENT_CALLERS));
      });

      it(`merges once for ${CONCURRENT_CALLERS} concurrent calls`, async () => {
        await both();
        const merge = { kind: "merge", store: "华为", into: "Huawei", days: "sum" } as const;
        const done = await Promise.all(
          Array.from({ length: CONCURRENT_CALLERS }, () => expectOk(change(merge))),
        );
        expect(done.filter(({ changed }) => changed)).toHaveLength(1);
        expect(await read()).toEqual({ Huawei: { 15: 11, 16: 30 } });
        expect(await log()).toHaveLength(1);
      });
    });

    describe("changeDays", () => {
      const RANGE = { appId: "app_1", store: "STORE_01", from: DAYS[0], until: DAYS[1] } as const;
      const NEXT = { newDownloads: 9, updateDownloads: 5 };
      const before = () =>
        upsert([
          aCount(),
          aCount({ date: DAYS[2] }),
          aCount({ store: "store_02" }),
          aCount({ appId: "app_2" }),
        ]);
      const changeDays = (next: typeof NEXT | "delete", dryRun = false, range: object = {}) =>
        source().changeDays({ ...RANGE, ...range }, next, dryRun, anAuditEntry({ action: "downloads.set" }));
      const HELD = [{ date: DAYS[0], newDownloads: 3, updateDownloads: 5 }];

      it("sets every day of the range, and audits the counts before", async () => {
        await before();
        const wanted = { store: "store_01", changed: 2, before: HELD };
        expect(await expectOk(changeDays(NEXT, true))).toEqual(wanted);
        expect(await read()).toMatchObject({ store_01: { 15: 3, 17: 3 } });
        expect(await expectOk(changeDays(NEXT))).toEqual(wanted);
        expect(await read()).toEqual({ store_01: { 15: 9, 16: 9, 17: 3 }, store_02: { 15: 3 } });
        expect(await read("app_2")).toEqual({ store_01: { 15: 3 } });
        const [entry, ...others] = await log();
        expect(others).toEqual([]);
        expect(JSON.parse(entry?.detail ?? "")).toEqual({ before: { days: [[DAYS[0], 3, 5]] } });
        expect(await expectOk(changeDays(NEXT))).toMatchObject({ changed: 0 });
        expect(await log()).toHaveLength(1);
      });

      it("deletes the days of the range, and audits the counts before", async () => {
        await before();
        const wanted = { store: "store_01", changed: 1, before: HELD };
        expect(await expectOk(changeDays("delete", true))).toEqual(wanted);
        expect(await expectOk(changeDays("delete"))).toEqual(wanted);
        expect(await read()).toEqual({ store_01: { 17: 3 }, store_02: { 15: 3 } });
        const [entry] = await log();
        expect(JSON.parse(entry?.detail ?? "")).toEqual({ before: { days: [[DAYS[0], 3, 5]] } });
        expect(await expectOk(changeDays("delete"))).toEqual({ store: "store_01", changed: 0, before: [] });
        expect(await log()).toHaveLength(1);
      });

      it("changes nothing for an unknown app or store", async () => {
        await before();
        expect(await expectFailure(changeDays("delete", false, { appId: "none" }))).toEqual({
          name: "app.unknown",
          appIds: ["none"],
        });
        expect(await expectFailure(changeDays(NEXT, false, { store: "store_03" }))).toMatchObject({
          name: "store.unknown",
          stores: [{ name: "store_03" }],
        });
        expect(await log()).toEqual([]);
      });

      it(`audits every increment of ${CONCURRENT_CALLERS} that a deletion removes`, async () => {
        await upsert([aCount({ newDownloads: 0, updateDownloads: 0 })]);
        const one = aCount({ newDownloads: 1, updateDownloads: 0 });
        const [removed] = await Promise.all([
          expectOk(changeDays("delete")),
          ...Array.from({ length: CONCURRENT_CALLERS }, () => expectOk(source().increment(one))),
        ]);
        const kept = (await read())["store_01"]?.[15] ?? 0;
        expect((removed.before[0]?.newDownloads ?? 0) + kept).toBe(CONCURRENT_CALLERS);
      });
    });

    describe("coverage", () => {
      it("returns the first and last day and the number of days of each store of the app", async () => {
        await upsert([
          aCount({ store: "b", date: DAYS[2], newDownloads: 0, updateDownloads: 0 }),
          aCount({ store: "b", date: DAYS[0] }),
          aCount({ store: "a", date: DAYS[1] }),
          aCount({ appId: "app_2", store: "c" }),
        ]);
        expect(await expectOk(source().coverage("app_1"))).toEqual([
          { store: "a", firstDay: DAYS[1], lastDay: DAYS[1], days: 1 },
          { store: "b", firstDay: DAYS[0], lastDay: DAYS[2], days: 2 },
        ]);
        expect(await expectOk(source().coverage("none"))).toEqual([]);
      });
    });

    it("finds the exact name before a spelling of another store", async () => {
      await upsert([aCount({ store: "Huawei" })]);
      await expectOk(change({ kind: "alias", alias: "HUAWEI", store: "Huawei" }));
      await expectOk(change({ kind: "add", store: "Xiaomi" }));
      await expectOk(change({ kind: "alias", alias: "HUAWEI", store: "Xiaomi" }));
      const find = storeFinder(await expectOk(source().storeNames()));
      expect([find("HUAWEI"), find("Huawei"), find("huawei")]).toEqual(["Xiaomi", "Huawei", "Xiaomi"]);
      await upsert([aCount({ store: "HUAWEI", newDownloads: 8 })]);
      expect(await read()).toEqual({ Huawei: { 15: 3 }, Xiaomi: { 15: 8 } });
    });
  });
}
