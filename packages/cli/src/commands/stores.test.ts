import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { anApp } from "@tillkit/contract-tests";
import { orThrow } from "@tillkit/core";
import { postgresAppStore, postgresAuditLog, postgresDownloadsSource } from "@tillkit/postgres";
import { describe, expect, it } from "vitest";
import { emptiedHost, type Place } from "../testing/cli.js";

const openHost = emptiedHost();
const HEADER = "appId,store,date,newDownloads,updateDownloads";

/** Opens a host with two apps, and imports lines. */
async function openCounts(...lines: readonly string[]): Promise<Place> {
  const place = await openHost();
  for (const appId of ["app_1", "app_2"])
    await orThrow(postgresAppStore(place.sql, place.schema).insertOnce(anApp({ appId })));
  if (lines.length > 0) await place.ask(["downloads", "import", "-"], { input: fileOf(...lines) });
  return place;
}

function fileOf(...lines: readonly string[]): string {
  return [HEADER, ...lines, ""].join("\n");
}

/** Returns the new downloads of each store in January 2026. */
async function held({ sql, schema }: Place, appId = "app_1") {
  const counts = await postgresDownloadsSource(sql, schema).read(appId, "2026-01-01", "2026-01-31");
  return Object.fromEntries(orThrow(counts).map((one) => [one.store, one.newDownloads]));
}

const audit = async ({ sql, schema }: Place, action: "store.merge" | "downloads.delete") =>
  (await orThrow(postgresAuditLog(sql, schema).search({ action, limit: 9 }))).items;

describe("stores", () => {
  it("lists stores that may be the same, and merges them", async () => {
    const place = await openCounts("app_1,Huawei,2026-01-01,1,0", "app_2,华为,2026-01-02,2,0");
    expect(await place.ask(["stores", "list"])).toEqual({
      stores: [
        { store: "Huawei", aliases: [], sameAs: [] },
        { store: "华为", aliases: [], sameAs: [] },
      ],
    });
    const merge = ["stores", "merge", "华为", "--into", "HUAWEI"];
    const done = { store: "Huawei", changed: true, movedDays: 1, daysInBoth: 0 };
    expect(await place.ask([...merge, "--dry-run"])).toEqual({ changes: [done], dryRun: true });
    expect(await audit(place, "store.merge")).toEqual([]);
    expect(await place.ask([...merge, "--reason", "one store"])).toEqual({ changes: [done], dryRun: false });
    expect(await audit(place, "store.merge")).toMatchObject([{ subject: "store:华为", reason: "one store" }]);
    expect((await place.tillkit(merge)).stdout).toBe("Huawei: nothing to change.\n");
    const { stdout } = await place.tillkit(["stores", "list"]);
    expect(stdout).toMatch(/^STORE +OTHER NAMES +MAY BE THE SAME AS\nHuawei +华为\n$/);
    expect([await held(place), await held(place, "app_2")]).toEqual([{ Huawei: [1] }, { Huawei: [2] }]);
  });

  it("adds, names and renames a store", async () => {
    const place = await openCounts();
    await place.ask(["stores", "add", "Huawei"]);
    await place.ask(["stores", "alias", "huawei", "华为", "AppGallery"]);
    await place.ask(["stores", "rename", "华为", "华为应用市场"]);
    expect(await place.ask(["stores", "list"])).toEqual({
      stores: [{ store: "华为应用市场", aliases: ["AppGallery", "Huawei", "华为"], sameAs: [] }],
    });
    const { code, stderr } = await place.tillkit(["stores", "add", "APPGALLERY"]);
    expect(code).toBe(1);
    expect(stderr).toContain("华为应用市场");
  });

  it("refuses days that both stores have without --sum or --keep", async () => {
    const place = await openCounts(
      "app_1,a,2026-01-01,1,0",
      "app_1,b,2026-01-01,10,0",
      "app_1,c,2026-01-01,100,0",
    );
    const merge = (...more: readonly string[]) =>
      place.tillkit(["stores", "merge", "b", "--into", "a", ...more]);
    const refused = await merge();
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("1 same days: use --sum");
    expect(await merge("--sum", "--keep")).toMatchObject({ code: 2 });
    expect((await merge("--sum")).stdout).toBe("a: changed, 0 days moved, 1 day that both stores have.\n");
    await place.ask(["stores", "merge", "c", "--into", "a", "--keep"]);
    expect(await held(place)).toEqual({ a: [11] });
  });

  it("prints what was changed before one of several changes failed", async () => {
    const place = await openCounts(
      "app_1,a,2026-01-01,1,0",
      "app_1,b,2026-01-02,10,0",
      "app_1,c,2026-01-02,100,0",
    );
    const merge = ["stores", "merge", "b", "c", "--into", "a"];
    // A dry run does not know the day that only the first merge adds to the kept store.
    expect((await place.tillkit([...merge, "--dry-run"])).stdout).toBe(
      [
        "a: would be changed, 1 day moved.",
        "a: would be changed, 1 day moved.",
        "Each line is what its change alone would do.\n",
      ].join("\n"),
    );
    const { code, stderr } = await place.tillkit(merge);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Done, and stays: b\. Failed: c\. Nothing was changed\. .* 1 same days/);
    expect(await held(place)).toEqual({ a: [1, 10], c: [100] });
    expect(await audit(place, "store.merge")).toMatchObject([{ subject: "store:b" }]);
  });
});

describe("downloads import", () => {
  it("refuses unknown stores with --strict, and names similar ones", async () => {
    const place = await openCounts("app_1,Huawei,2026-01-01,1,0");
    const input = fileOf("app_1,huawei,2026-01-02,2,0", "app_1,Huawai,2026-01-02,3,0");
    const { code, stderr } = await place.tillkit(["downloads", "import", "-", "--strict"], { input });
    expect(code).toBe(1);
    expect(stderr).toContain("These stores are not known: Huawai (similar: Huawei).");
    expect(await held(place)).toEqual({ Huawei: [1] });
  });

  it("with --sum, adds up the lines of a day over all spellings of a store", async () => {
    const place = await openCounts("app_1,Huawei,2026-01-01,1,0");
    const input = fileOf(
      "app_1,HUAWEI,2026-01-02,2,0",
      "app_1,huawei,2026-01-02,3,0",
      "app_1,N,2026-01-02,4,0",
      "app_1,n,2026-01-02,5,0",
    );
    await place.ask(["downloads", "import", "-", "--sum"], { input });
    expect(await held(place)).toEqual({ Huawei: [1, 5], N: [9] });
  });

  it("shows which days changed, and writes all of them to a file", async () => {
    const days = Array.from({ length: 25 }, (_, day) => `2026-01-${String(day + 1).padStart(2, "0")}`);
    const lines = (count: number) => days.map((day) => `app_1,a,${day},${count},0`);
    const place = await openCounts(...lines(1));
    const changes = join(place.folder, "changes.jsonl");
    const argv = ["downloads", "import", "-", "--changes", changes];
    const { stdout } = await place.tillkit(argv, { input: fileOf(...lines(2), "app_1,b,2026-01-01,7,8") });
    expect(stdout.split("\n").slice(0, 2)).toEqual([
      "26 counts read: 1 day new, 25 changed, 0 unchanged.",
      "  app_1 a 2026-01-01: 1 new, 0 updates → 2 new, 0 updates",
    ]);
    expect(stdout).toContain(`6 more new or changed days: see ${changes}.`);
    const written = (await readFile(changes, "utf8")).trimEnd().split("\n");
    expect(written).toHaveLength(26);
    expect(JSON.parse(written.at(-1) ?? "")).toEqual({
      appId: "app_1",
      store: "b",
      date: "2026-01-01",
      newDownloads: 7,
      updateDownloads: 8,
    });
    const again = await place.ask(argv, { input: fileOf(...lines(2)) });
    expect(again).toMatchObject({ changed: 0, unchanged: 25, changes: { first: [] } });
    await place.tillkit([...argv, "--strict"], { input: fileOf(...lines(3), "app_1,zzz,2026-01-01,1,1") });
    expect(await readFile(changes, "utf8")).toBe("");
  });
});

describe("downloads set, delete, report and gaps", () => {
  it("deletes and sets days, with a dry run, and keeps the previous counts in the audit log", async () => {
    const place = await openCounts(
      "app_1,a,2026-01-01,1,2",
      "app_1,a,2026-01-02,3,4",
      "app_2,a,2026-01-01,9,9",
    );
    const range = ["--app", "app_1", "--store", "A", "--from", "2026-01-01", "--until", "2026-01-02"];
    const dry = await place.tillkit(["downloads", "delete", ...range, "--dry-run"]);
    expect(dry.stdout).toBe(
      "a: 2 days would be deleted.\nCounts before:\n  2026-01-01: 1 new, 2 updates\n  2026-01-02: 3 new, 4 updates\n",
    );
    expect(await held(place)).toMatchObject({ a: [1, 3] });
    await place.ask(["downloads", "delete", ...range, "--reason", "wrong file"]);
    const [entry] = await audit(place, "downloads.delete");
    expect(entry).toMatchObject({ appId: "app_1", reason: "wrong file" });
    expect(JSON.parse(entry?.detail ?? "")).toMatchObject({
      before: {
        days: [
          ["2026-01-01", 1, 2],
          ["2026-01-02", 3, 4],
        ],
      },
    });
    expect([await held(place), await held(place, "app_2")]).toEqual([{}, { a: [9] }]);
    await place.ask(["downloads", "set", ...range, "--new", "5", "--updates", "0"]);
    expect(await held(place)).toEqual({ a: [5, 5] });
    const long = [...range.slice(0, 6), "--until", "2027-01-03"];
    expect((await place.tillkit(["downloads", "delete", ...long])).code).toBe(2);
  });

  it("adds up months, and shows a period without data and one with missing days", async () => {
    const place = await openCounts(
      "app_1,a,2026-01-30,1,0",
      "app_1,b,2026-02-01,0,0",
      "app_2,a,2026-01-30,5,0",
    );
    const range = ["--app", "app_1", "--from", "2026-01-30", "--until", "2026-02-01", "--by", "month"];
    const { stdout } = await place.tillkit(["downloads", "report", ...range]);
    expect(stdout.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["FROM", "UNTIL", "STORE", "NEW", "UPDATES", "DAYS MISSING"],
      ["2026-01-30", "2026-01-31", "a", "1", "0", "1"],
      ["2026-01-30", "2026-01-31", "b", "-", "-", "2"],
      ["2026-02-01", "2026-02-01", "a", "-", "-", "1"],
      ["2026-02-01", "2026-02-01", "b", "0", "0", "0"],
      ["a: 1 new download, 0 updates"],
      ["b: 0 new downloads, 0 updates"],
      ["All Stores: 1 new download, 0 updates"],
      [""],
    ]);
    const csv = await place.tillkit(["downloads", "report", ...range, "--csv"]);
    expect(csv.stdout.split("\r\n")).toEqual([
      "FROM,UNTIL,STORE,NEW,UPDATES,DAYS MISSING",
      `"'2026-01-30","'2026-01-31",a,1,0,1`,
      `"'2026-01-30","'2026-01-31",b,,,2`,
      `"'2026-02-01","'2026-02-01",a,,,1`,
      `"'2026-02-01","'2026-02-01",b,0,0,0`,
      "",
    ]);
    expect(csv.stderr).toContain("All Stores: 1 new download, 0 updates\n");
    expect((await place.tillkit(["downloads", "report", ...range.slice(2), "--app", "none"])).code).toBe(1);
  });

  it("shows until when each store has data", async () => {
    const place = await openCounts(
      "app_1,a,2026-01-01,1,0",
      "app_1,a,2026-01-04,1,0",
      "app_2,b,2026-01-02,1,0",
    );
    expect(await place.ask(["downloads", "gaps", "--app", "app_1"])).toEqual({
      stores: [
        {
          appId: "app_1",
          store: "a",
          firstDay: "2026-01-01",
          lastDay: "2026-01-04",
          days: 2,
          missingDays: 2,
        },
      ],
    });
    const { stdout } = await place.tillkit(["downloads", "gaps"]);
    expect(stdout).toContain("no data before 2026-01-02 or after 2026-01-02");
  });
});
