import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createDataDir } from "./create-data-dir.js";

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-data-dir-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

it("keeps a new folder out of Git", async () => {
  const dataDir = join(await aFolder(), "shops", "data");
  await createDataDir(dataDir);
  expect(await readFile(join(dataDir, ".gitignore"), "utf8")).toBe("*\n");
});

it("changes nothing in a folder that exists", async () => {
  const folder = await aFolder();
  await createDataDir(folder);
  expect(existsSync(join(folder, ".gitignore"))).toBe(false);
});

it("ignores a folder that cannot be used, because the next step reports it", async () => {
  await expect(createDataDir("/dev/null/data")).resolves.toBeUndefined();
});
