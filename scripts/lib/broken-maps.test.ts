import { expect, it } from "vitest";
import { brokenMaps } from "./broken-maps.js";

/** Returns what is broken in a package with these built files, maps and sources. */
function brokenIn(maps: Readonly<Record<string, object>>, others: readonly string[]): readonly string[] {
  const read = (file: string): string => JSON.stringify(maps[file]);
  return brokenMaps([...Object.keys(maps), ...others], read);
}

it("accepts maps that lead to files of the package", () => {
  const maps = {
    "dist/index.js.map": { sources: ["../src/index.ts"] },
    "dist/http/index.d.ts.map": { sourceRoot: "..", sources: ["../src/http/index.ts"] },
  };
  const built = ["dist/index.js", "dist/http/index.d.ts"];
  expect(brokenIn(maps, [...built, "src/index.ts", "src/http/index.ts"])).toEqual([]);
});

it("names a source that is missing", () => {
  const maps = { "dist/index.js.map": { sources: ["../src/index.ts", "../src/testing/a.ts"] } };
  expect(brokenIn(maps, ["dist/index.js", "src/index.ts"])).toEqual([
    "dist/index.js.map leads to src/testing/a.ts, which is missing",
  ]);
});

it("names a built file without a map, and a package without built files", () => {
  expect(brokenIn({}, ["dist/index.d.ts", "src/index.ts"])).toEqual(["dist/index.d.ts has no map"]);
  expect(brokenIn({}, ["src/index.ts"])).toEqual(["dist has no built file"]);
});
