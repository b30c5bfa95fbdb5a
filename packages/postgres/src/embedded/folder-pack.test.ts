import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { packFolder, unpackFolder } from "./folder-pack.js";

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "pack-"));
});
afterEach(() => rm(parent, { recursive: true }));

const FILES: Readonly<Record<string, Buffer>> = {
  empty: Buffer.alloc(0),
  "inner/zeros": Buffer.alloc(8192),
  "inner/padded": Buffer.concat([Buffer.from([0, 1, 2]), Buffer.alloc(500)]),
  "inner/deep/same": Buffer.from([0, 1, 2]),
  "name with spaces": Buffer.from("text"),
};

it("a pack restores files, folders and zeros, and stores equal content once", async () => {
  const from = join(parent, "from");
  await mkdir(join(from, "inner/deep"), { recursive: true });
  await mkdir(join(from, "no files"));
  for (const [path, bytes] of Object.entries(FILES)) await writeFile(join(from, path), bytes);
  const pack = packFolder(from);
  expect(pack.length).toBeLessThan(400);
  const to = join(parent, "to");
  expect(unpackFolder(pack, to)).toBe(true);
  expect((await readdir(to, { recursive: true })).sort()).toEqual(
    (await readdir(from, { recursive: true })).sort(),
  );
  for (const [path, bytes] of Object.entries(FILES)) expect(await readFile(join(to, path))).toEqual(bytes);
});

it("unpackFolder rejects a pack with a changed byte, wherever the byte is", async () => {
  const from = join(parent, "from");
  await mkdir(from);
  await writeFile(join(from, "file"), "text");
  const pack = packFolder(from);
  for (let at = 0; at < pack.length; at += 1) {
    const damaged = Buffer.from(pack);
    damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
    expect(unpackFolder(damaged, join(parent, "to"))).toBe(false);
  }
  expect(await readdir(parent)).toEqual(["from"]);
});
