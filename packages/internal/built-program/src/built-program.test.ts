import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { builtProgram, publishedProgram } from "./built-program.js";

const source = new URL("testing/report-program.ts", import.meta.url);

it.each([builtProgram, publishedProgram])("%o behaves like the sources, at their location", async (built) => {
  const { stdout } = await promisify(execFile)(process.execPath, [await built(source), "x"]);
  expect(JSON.parse(stdout)).toEqual({ cents: 1234, installed: "here", place: source.href, argument: "x" });
});

it("a program is built once for concurrent callers", { tags: "slow" }, async () => {
  const file = await builtProgram(source);
  await rm(file);
  const files = Array.from({ length: 5 }, () => builtProgram(source));
  expect(new Set(await Promise.all(files))).toEqual(new Set([file]));
});
