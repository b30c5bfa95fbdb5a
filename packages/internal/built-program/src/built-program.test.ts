import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { builtProgram } from "./built-program.js";

const source = new URL("testing/telling-program.ts", import.meta.url);

it("does what the sources do, in the place of the sources", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [await builtProgram(source), "said"]);
  expect(JSON.parse(stdout)).toEqual({ cents: 1234, installed: "here", place: source.href, said: "said" });
});

it("is there for all who ask for it at once, in one place", async () => {
  const file = await builtProgram(source);
  await rm(file);
  const asked = Array.from({ length: 5 }, () => builtProgram(source));
  expect(new Set(await Promise.all(asked))).toEqual(new Set([file]));
});
