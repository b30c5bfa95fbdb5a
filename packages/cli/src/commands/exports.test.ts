import { Writable } from "node:stream";
import { expect, it } from "vitest";
import { z } from "zod";
import { emptiedHost } from "../testing/cli.js";
import { newApp } from "../testing/fixture.js";
import { aLine } from "../testing/import-lines.js";

const openHost = emptiedHost();

const BY = ["--operator", "kim", "--reason", "test"];
const OCTOBER_2 = Date.parse("2025-10-02T00:00:00+08:00");
const DAY = 86_400_000;
const LINES = 1_200;

/** Opens a host with orders of the last second of one day, of the next day, and after it. */
async function openExports() {
  const place = await openHost();
  const appId = await newApp(place.ask);
  const lineAt = (number: number, gmtCreate: number) =>
    aLine(number, { appId, gmtCreate, pmtDt: gmtCreate, gmtModified: gmtCreate });
  const load = async (name: string, lines: readonly string[]) => {
    await place.ask(["import", "orders", await place.file(name, lines.join("\n")), ...BY]);
  };
  const times = [OCTOBER_2 - 1_000, OCTOBER_2, OCTOBER_2 + DAY - 1_000, OCTOBER_2 + DAY];
  await load(
    "before.jsonl",
    Array.from({ length: LINES }, (_, number) => lineAt(number * 10, times[number % 4] ?? 0)),
  );
  return { ...place, lineAt, load };
}

const exported = z.object({ bizNo: z.string() });

function numbersIn(text: string): readonly number[] {
  return text
    .trim()
    .split("\n")
    .map((line) => Number(exported.parse(JSON.parse(line)).bizNo.slice(2)));
}

/** The numbers of the orders of 2 October, a day that begins at midnight in China. */
const OF_THE_DAY = Array.from({ length: LINES }, (_, number) => number)
  .filter((number) => number % 4 === 1 || number % 4 === 2)
  .map((number) => number * 10);

it("exports the orders of a period of days in China, to the second", async () => {
  const { tillkit } = await openExports();
  const period = ["--from", "2025-10-02", "--until", "2025-10-02"];
  const { code, stdout } = await tillkit(["export", "orders", "-", ...period, ...BY]);
  expect(code).toBe(0);
  expect(numbersIn(stdout)).toEqual(OF_THE_DAY);
  expect(numbersIn((await tillkit(["export", "orders", "-", ...BY])).stdout)).toHaveLength(LINES);
  expect((await tillkit(["export", "orders", "-", "--from", "2025-10-32", ...BY])).code).toBe(2);
});

it("exports each order once while others are written, and no order that was created later", async () => {
  const { tillkit, lineAt, load } = await openExports();
  let text = "";
  let isFirst = true;
  const stdout = new Writable({
    write: (chunk, _encoding, done) => {
      text += String(chunk);
      const written = isFirst
        ? load(
            "later.jsonl",
            [5, 15, 11_995].map((number) => lineAt(number, OCTOBER_2)),
          )
        : Promise.resolve();
      isFirst = false;
      written.then(() => done(), done);
    },
  });
  const period = ["--from", "2025-10-02", "--until", "2025-10-02"];
  expect((await tillkit(["export", "orders", "-", ...period, ...BY], { stdout })).code).toBe(0);
  expect(numbersIn(text)).toEqual(OF_THE_DAY);
  const after = await tillkit(["export", "orders", "-", ...period, ...BY]);
  expect(numbersIn(after.stdout)).toHaveLength(OF_THE_DAY.length + 3);
});
