import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { builtProgram } from "./built-program.js";

const source = new URL("testing/telling-program.ts", import.meta.url);

it("does what the sources do, in the place of the sources", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [await builtProgram(source), "said"]);
  expect(JSON.parse(stdout)).toEqual({ cents: 1234, installed: "here", place: source.href, said: "said" });
});

it("is made once for all who ask at once and later", async () => {
  const files = await Promise.all([builtProgram(source), builtProgram(source)]);
  expect(new Set([...files, await builtProgram(source)]).size).toBe(1);
});
