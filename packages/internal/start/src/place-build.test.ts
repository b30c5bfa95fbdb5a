import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { linkOrCopy, placeBuild } from "./place-build.js";
import { removeOldBuilds } from "./remove-old-builds.js";

let builds: string;
beforeEach(async () => {
  builds = await mkdtemp(join(tmpdir(), "builds-"));
});
afterEach(() => rm(builds, { recursive: true }));

/** Makes a folder with one file, which last changed `hours` ago. */
async function make(name: string, hours = 0, text = name): Promise<string> {
  const folder = join(builds, name);
  await mkdir(folder);
  await writeFile(join(folder, "main.cjs"), text);
  const at = new Date(Date.now() - hours * 3_600_000);
  await utimes(folder, at, at);
  return folder;
}

it("placeBuild keeps the build of the process that ends first, if two build the same sources", async () => {
  const folder = join(builds, "abc");
  const both = [await make("building-1", 0, "first"), await make("building-2", 0, "second")];
  for (const building of both) await placeBuild(building, folder);
  expect(await readdir(builds)).toEqual(["abc"]);
  expect(await readFile(join(folder, "main.cjs"), "utf8")).toBe("first");
});

it("placeBuild fails if the build cannot be moved", async () => {
  const building = await make("building-1");
  await expect(placeBuild(building, join(builds, "missing", "abc"))).rejects.toThrow("ENOENT");
});

it("linkOrCopy copies a file that cannot be linked", async () => {
  const file = join(await make("abc"), "main.cjs");
  // A link with a name that exists fails, as every link does on a file system without links.
  await linkOrCopy(file, join(builds, "copy"));
  await linkOrCopy(join(builds, "copy"), file);
  expect(await readFile(file, "utf8")).toBe("abc");
});

it("removeOldBuilds removes old builds and what killed builds have left, and keeps the current build", async () => {
  const folder = await make("aa0", 100);
  for (let nth = 1; nth <= 6; nth += 1) await make(`bb${nth}`, nth);
  for (const name of ["building-old", "x.snapshot.1-2", "new.sandbox.jsonl.3-4"]) await make(name, 2);
  for (const name of ["building-new", "y.snapshot.1-2"]) await make(name);
  for (let nth = 1; nth <= 6; nth += 1) await writeFile(join(builds, `${nth}.snapshot`), "");
  await removeOldBuilds(folder);
  const names = await readdir(builds);
  expect(names.filter((name) => !name.endsWith(".snapshot")).sort()).toEqual([
    "aa0",
    "bb1",
    "bb2",
    "bb3",
    "bb4",
    "building-new",
    "y.snapshot.1-2",
  ]);
  expect(names.filter((name) => name.endsWith(".snapshot"))).toHaveLength(5);
});

it("removeOldBuilds ignores builds that another process moves or removes meanwhile", async () => {
  const folder = await make("aa0");
  const others = Array.from({ length: 40 }, (_, nth) => `building-${nth}`);
  for (const name of others) await make(name, 2);
  await Promise.all([removeOldBuilds(folder), removeOldBuilds(folder), removeOldBuilds(folder)]);
  expect(await readdir(builds)).toEqual(["aa0"]);
});
