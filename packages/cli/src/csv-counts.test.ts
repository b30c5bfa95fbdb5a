import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import type { DailyCount } from "@tillkit/core";
import { spreadsheetText } from "@tillkit/core/operators";
import { describe, expect, it } from "vitest";
import { openCsvCounts } from "./csv-counts.js";

const HEADER = "appId,store,date,newDownloads,updateDownloads";

async function read(text: string | readonly Uint8Array[], appId?: string) {
  const stream = Readable.from(typeof text === "string" ? [Buffer.from(text)] : text);
  const { batches, problems } = openCsvCounts({ stream }, appId);
  const counts: DailyCount[] = [];
  let thrown = false;
  try {
    for await (const batch of batches) counts.push(...batch);
  } catch {
    thrown = true;
  }
  return { counts, thrown, problems };
}

const COUNT = { appId: "app_1", store: "store_01", date: "2026-01-15", newDownloads: 3, updateDownloads: 4 };

describe("openCsvCounts", () => {
  it.each([
    ["LF", `${HEADER}\napp_1,store_01,2026-01-15,3,4\n`],
    ["CRLF and no end of line at the end", `${HEADER}\r\napp_1,store_01,2026-01-15,3,4`],
    ["a byte order mark", `\ufeff${HEADER}\napp_1,store_01,2026-01-15,3,4\n`],
    [
      "quotes",
      `"appId","store",date,newDownloads,updateDownloads\n"app_1","store_01","2026-01-15","3","4"\n`,
    ],
    [
      "another order and more columns",
      "date,note,store,updateDownloads,appId,newDownloads\n2026-01-15,x,store_01,4,app_1,3\n",
    ],
    ["empty lines", `${HEADER}\n\napp_1,store_01,2026-01-15,3,4\n\n\n`],
  ])("reads a file with %s", async (_what, text) => {
    expect(await read(text)).toEqual({ counts: [COUNT], thrown: false, problems: { total: 0, first: [] } });
  });

  it("reads names as the export of the operators' page writes them", async () => {
    const names = ["00123", "1E5", "=x", "'7", "360", "store_01"];
    const lines = names.map((name) => `app_1,"${spreadsheetText(name)}",2026-01-15,3,4\n`);
    const { counts } = await read(`\ufeff${HEADER}\n${lines.join("")}`);
    expect(counts.map(({ store }) => store)).toEqual(names);
  });

  it("uses the given app if the file has no column for the app", async () => {
    const { counts } = await read(
      "store,date,newDownloads,updateDownloads\nstore_01,2026-01-15,3,4\n",
      "app_1",
    );
    expect(counts).toEqual([COUNT]);
  });

  it("keeps quoted commas, quotes and line breaks, and still counts line numbers correctly", async () => {
    const { problems } = await read(
      `${HEADER},note\napp_1,"a ""b"", c",2026-01-15,3,4,"two\nlines"\napp_1,s,2026-01-32,3,4,\n`,
    );
    expect(problems.first).toEqual([{ line: 4, message: "Parameter date must be a date like 2026-01-31" }]);
  });

  it("refuses a line that is not UTF-8, so that two stores never become one", async () => {
    const latin = Buffer.from(
      `${HEADER}\napp_1,s\xe9,2026-01-15,3,4\napp_1,s\xe8,2026-01-15,3,4\n`,
      "latin1",
    );
    const { counts, thrown, problems } = await read([latin]);
    expect({ counts, thrown }).toEqual({ counts: [], thrown: true });
    expect(problems.first.map(({ line }) => line)).toEqual([2, 3]);
    expect(problems.first[0]?.message).toContain("set --encoding");
  });

  it("refuses a line with more fields than columns", async () => {
    const { counts, thrown, problems } = await read(
      `${HEADER},note\napp_1,store_01,2026-01-15,1,000,4,x\napp_1,store_01,2026-01-15,3,4\n`,
    );
    expect({ counts, thrown }).toEqual({ counts: [], thrown: true });
    expect(problems).toEqual({
      total: 1,
      first: [{ line: 2, message: "the line has 7 fields, and the first line names 6" }],
    });
  });

  it.each(["All Stores", "ALL STORES", "\uff21ll\u3000Stores"])(
    "refuses a store called %j",
    async (store) => {
      const { problems } = await read(`${HEADER}\napp_1,${store},2026-01-15,3,4\n`);
      expect(problems.first).toEqual([
        { line: 2, message: "Parameter store is reserved for the total of all stores" },
      ]);
    },
  );

  it("refuses a count that is too large to be added up", async () => {
    const { problems } = await read(`${HEADER}\napp_1,store_01,2026-01-15,10000000001,4\n`);
    expect(problems.first).toEqual([{ line: 2, message: "Parameter newDownloads is larger than allowed" }]);
  });

  it("reports one problem, not one per line, for a compressed file", async () => {
    const { thrown, problems } = await read([gzipSync(`${HEADER}\napp_1,store_01,2026-01-15,3,4\n`)]);
    expect({ thrown, total: problems.total }).toEqual({ thrown: true, total: 1 });
    expect(problems.first[0]?.message).toContain("set --encoding");
  });

  it("reads characters whose bytes are in two chunks", async () => {
    const bytes = Buffer.from(`${HEADER}\napp_1,商店,2026-01-15,3,4\n`);
    const middle = bytes.indexOf(Buffer.from("商")) + 1;
    const { counts } = await read([bytes.subarray(0, middle), bytes.subarray(middle)]);
    expect(counts).toEqual([{ ...COUNT, store: "商店" }]);
  });

  it("names every kind of wrong line and throws at the end", async () => {
    const lines = [
      "app_1,store_01,2026-01-15,-1,4",
      "app_1,store_01,2026-01-15,1.5,4",
      "app_1,store_01,2026-01-15,1e3,4",
      "app_1,store_01,2026-02-30,3,4",
      ",store_01,2026-01-15,3,4",
      "app_1,store_01,2026-01-15,3",
    ];
    const { problems, thrown } = await read([HEADER, ...lines, ""].join("\n"));
    expect(thrown).toBe(true);
    expect(problems.first).toEqual([
      { line: 2, message: "Parameter newDownloads must be an integer of at least 0" },
      { line: 3, message: "Parameter newDownloads must be an integer of at least 0" },
      { line: 4, message: "Parameter newDownloads must be an integer of at least 0" },
      { line: 5, message: "Parameter date must be a date like 2026-01-31" },
      { line: 6, message: "Parameter appId is required" },
      { line: 7, message: "Parameter updateDownloads is required" },
    ]);
  });

  it("shows the first problems and counts all", async () => {
    const { problems } = await read(
      [HEADER, ...new Array<string>(7_000).fill("app_1,s,never,1,1")].join("\n"),
    );
    expect(problems.total).toBe(7_000);
    expect(problems.first).toHaveLength(20);
  });

  it.each([
    ["", "the file is empty: its first line must name the columns"],
    ["store,date,newDownloads,updateDownloads\n", "the column appId is missing, and --app is not set"],
    ["appId,store,store,date,newDownloads,updateDownloads\n", "the column store occurs twice"],
  ])("refuses the header %j", async (text, message) => {
    const { problems, thrown } = await read(text);
    expect(thrown).toBe(true);
    expect(problems.first).toEqual([{ line: 1, message }]);
  });

  it("refuses an app that is given both by an option and by a column", async () => {
    const { problems } = await read(`${HEADER}\n`, "app_2");
    expect(problems.first[0]?.message).toContain("use one of the two");
  });

  it("stops at a quote that is never closed", async () => {
    const { problems, thrown } = await read(`${HEADER}\napp_1,"store_01,2026-01-15,3,4\n`);
    expect(thrown).toBe(true);
    expect(problems.total).toBe(1);
    expect(problems.first[0]?.message).toMatch(/quote/i);
  });
});
