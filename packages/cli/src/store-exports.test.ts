import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { crc32, gzipSync } from "node:zlib";
import { type DailyCount, orThrow } from "@tillkit/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Encoding, type FormatOptions, formatOf } from "./counts-format.js";
import { openCountsInput } from "./counts-input.js";
import { openCsvCounts } from "./csv-counts.js";

interface Given extends FormatOptions {
  readonly app?: string;
  readonly products?: ReadonlyMap<string, string>;
  readonly encoding?: Encoding;
}

async function read(content: Uint8Array, { app, products, encoding, ...options }: Given) {
  const folder = await mkdtemp(join(tmpdir(), "counts-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "export");
  await writeFile(path, content);
  const input = await orThrow(openCountsInput({ stdin: Readable.from([]) }, path, encoding));
  const format = { ...orThrow(formatOf(options)), ...(products && { products }) };
  const { batches, problems } = openCsvCounts(input, app, { format });
  const counts: DailyCount[] = [];
  let message: string | undefined;
  try {
    for await (const batch of batches) counts.push(...batch);
  } catch (error) {
    message = error instanceof Error ? error.message : "?";
  }
  return { counts, message, problems: problems.first };
}

const SALES_COLUMNS =
  "Provider\tProvider Country\tSKU\tDeveloper\tTitle\tVersion\tProduct Type Identifier\tUnits\tDeveloper Proceeds\tBegin Date\tEnd Date\tCustomer Currency\tCountry Code\tCurrency of Proceeds\tApple Identifier\tCustomer Price";

interface SaleChanges {
  readonly id?: string;
  readonly begin?: string;
  readonly end?: string;
}

const sale = (
  type: string,
  units: string,
  { id = "1234567890", begin = "01/15/2026", end = begin }: SaleChanges = {},
) =>
  `APPLE\tUS\tNOTES\tExample Ltd\tNotes "for" all\t1.2\t${type}\t${units}\t0\t${begin}\t${end}\tUSD\tUS\tUSD\t${id}\t0`;

const sales = (...lines: readonly string[]) => Buffer.from([SALES_COLUMNS, ...lines, ""].join("\n"));

const DAY = sales(
  sale("1F", "10"),
  sale("1", "5.00"),
  sale("1F", "-2"),
  sale("7F", "30"),
  sale("3F", "100"),
  sale("IA1", "50"),
  sale("F1-B", "7"),
);
const IN_APPLE = { app: "app_1", preset: "app-store-connect" } as const;
const APPLE_COUNT = {
  appId: "app_1",
  store: "App Store",
  date: "2026-01-15",
  newDownloads: 13,
  updateDownloads: 30,
};

const PLAY = `\ufeffDate,Package Name,Daily Device Installs,Daily Device Uninstalls,Daily Device Upgrades,Total User Installs,Daily User Installs,Daily User Uninstalls,Active Device Installs
2026-01-14,com.example.notes,12,1,40,1000,11,2,900
2026-01-15,com.example.notes,14,0,50,1013,13,1,912
`;
const play = (newDownloads: readonly [number, number]) =>
  newDownloads.map((count, index) => ({
    appId: "app_1",
    store: "Google Play",
    date: index === 0 ? "2026-01-14" : "2026-01-15",
    newDownloads: count,
    updateDownloads: index === 0 ? 40 : 50,
  }));

/** Returns an archive whose files are stored without compression. */
function zipOf(...files: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const content of files) {
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(1, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, Buffer.from("a"), content]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\x00"), common, place, Buffer.from("a"));
    parts.push(local);
    at += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, central, Buffer.from("PK\x05\x06"), end]);
}

describe("the sales report of App Store Connect", () => {
  it.each([
    ["plain", DAY],
    ["compressed by gzip", gzipSync(DAY)],
    ["in a ZIP archive", zipOf(DAY)],
  ])("is read %s", async (_what, content) => {
    expect(await read(content, IN_APPLE)).toEqual({
      counts: [APPLE_COUNT],
      message: undefined,
      problems: [],
    });
  });

  it.each(["1234567890", "NOTES"])("takes the app of the product %s", async (product) => {
    const products = new Map([[product, "app_9"]]);
    const { counts } = await read(DAY, { preset: "app-store-connect", products, store: "Apple" });
    expect(counts).toEqual([{ ...APPLE_COUNT, appId: "app_9", store: "Apple" }]);
  });

  it.each([
    ["more returns than downloads", [sale("1F", "1"), sale("1F", "-2")], 3, "the sum of 2026-01-15"],
    ["an unknown type", [sale("9Z", "1")], 2, "the product type identifier is unknown"],
    ["several days", [sale("1F", "1", { end: "01/21/2026" })], 2, "not of one day"],
    ["half a unit", [sale("1F", "1.5")], 2, "not a whole number"],
    ["a date that does not exist", [sale("1F", "1", { begin: "02/30/2026" })], 2, "date"],
    ["another form of date", [sale("1F", "1", { begin: "2026-01-15" })], 2, "MM/DD/YYYY"],
    ["a second product in one app", [sale("1F", "1"), sale("1F", "1", { id: "99" })], 3, "--products"],
  ])("is refused with %s", async (_what, lines, line, message) => {
    const { counts, problems } = await read(sales(...lines), IN_APPLE);
    expect(counts).toEqual([]);
    expect(problems.map((problem) => problem.line)).toEqual([line]);
    expect(problems[0]?.message).toContain(message);
  });

  it("is refused with a product that has no app", async () => {
    const products = new Map([["1", "app_1"]]);
    const { problems } = await read(sales(sale("1F", "1")), { preset: "app-store-connect", products });
    expect(problems).toEqual([{ line: 2, message: "the product is not in the file of --products" }]);
  });
});

describe("the install report of Google Play", () => {
  const content = Buffer.from(PLAY, "utf16le");

  it.each([
    ["user installs", {}, [11, 13]],
    ["device installs", { installs: "device" }, [12, 14]],
  ] as const)("gives the %s", async (_what, options, expected) => {
    const { counts } = await read(content, { app: "app_1", preset: "google-play", ...options });
    expect(counts).toEqual(play(expected));
  });

  it("is read in big-endian order too", async () => {
    const { counts } = await read(Buffer.from(content).swap16(), { app: "app_1", preset: "google-play" });
    expect(counts).toEqual(play([11, 13]));
  });

  it.each([undefined, "utf-16"] as const)("is read without a BOM, with --encoding %s", async (encoding) => {
    const options = { app: "app_1", preset: "google-play", ...(encoding && { encoding }) } as const;
    expect((await read(content.subarray(2), options)).counts).toEqual(play([11, 13]));
  });
});

it("refuses the install report of Google Play by country, which has parts of a day", async () => {
  const text = `Date,Package Name,Country,Daily User Installs,Daily Device Upgrades
2026-01-14,com.example.notes,US,11,40
2026-01-14,com.example.notes,CN,2,4
`;
  const { counts, problems } = await read(Buffer.from(text), { app: "app_1", preset: "google-play" });
  expect(counts).toEqual([]);
  expect(problems).toMatchObject([{ line: 3 }]);
  expect(problems[0]?.message).toContain("line 2 has the same");
});

describe("another export", () => {
  it("is read in GBK, with its own columns, dates, separators and several lines of a day", async () => {
    // 日期;新增;更新 in GBK.
    const header = Buffer.from("c8d5c6da3bd0c2d4f63bb8fcd0c20a", "hex");
    const lines = Buffer.from("15.01.2026;1,200;3\n15.01.2026;5;4\n");
    const { counts, problems } = await read(Buffer.concat([header, lines]), {
      app: "app_1",
      store: "华为",
      encoding: "gbk",
      delimiter: ";",
      thousands: ",",
      sum: true,
      dateFormat: "DD.MM.YYYY",
      map: "date=日期,newDownloads=新增,updateDownloads=更新",
    });
    expect(problems).toEqual([]);
    expect(counts).toEqual([
      { appId: "app_1", store: "华为", date: "2026-01-15", newDownloads: 1205, updateDownloads: 7 },
    ]);
  });

  it.each<[string, Given]>([
    ["of a day by country", { map: "store=country" }],
    ["whose stores become one", { store: "s" }],
    ["whose spellings are of one store", { map: "store=name" }],
  ])("is refused with several lines of a day, %s", async (_what, options) => {
    const text = `appId,date,country,store,name,newDownloads,updateDownloads
app_1,2026-01-15,CN,a,Store,1,0
app_1,2026-01-15,CN,b,STORE,1,0
`;
    const { counts, problems } = await read(Buffer.from(text), options);
    expect(counts).toEqual([]);
    expect(problems.map(({ line }) => line)).toEqual([3]);
  });

  it("is refused with lines of several apps if --app names one app and other columns are mapped", async () => {
    const text = `appId,store,day,newDownloads,updateDownloads
app_1,s,2026-01-15,1,0
app_2,s,2026-01-16,1,0
`;
    const { problems } = await read(Buffer.from(text), { app: "app_9", map: "date=day" });
    expect(problems).toMatchObject([{ line: 3 }]);
    expect(problems[0]?.message).toContain("several products");
  });

  it.each(["1,2", "12345,678", ",123", "1,2345"])("refuses the number %s", async (number) => {
    const text = `appId;store;date;newDownloads;updateDownloads\napp_1;s;2026-01-15;${number};0\n`;
    const { problems } = await read(Buffer.from(text), { delimiter: ";", thousands: "," });
    expect(problems.map(({ line }) => line)).toEqual([2]);
  });

  it.each([
    ["an archive of two files", zipOf(DAY, DAY)],
    ["a damaged archive", Buffer.from("PK\x03\x04 and no more")],
    ["incomplete gzip data", gzipSync(DAY).subarray(0, 60)],
  ])("refuses %s", async (_what, content) => {
    const { counts, message } = await read(content, IN_APPLE);
    expect(counts).toEqual([]);
    expect(message).toMatch(/^is /);
  });

  it.each<[FormatOptions]>([
    [{ map: "day=x" }],
    [{ map: "date=x,date=y" }],
    [{ map: "date=" }],
    [{ delimiter: "::" }],
    [{ thousands: "1" }],
    [{ installs: "user" }],
    [{ preset: "google-play", sum: true }],
  ])("refuses the options %o", (options) => {
    expect(formatOf(options).isErr()).toBe(true);
  });
});
