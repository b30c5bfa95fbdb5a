import { mkdir, mkdtemp, readdir, readlink, rm, symlink } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FolderLock, lockFolder } from "./folder-lock.js";
import { type Child, startChild } from "./testing/child.js";

let parent: string;
let folder: string;
const held: FolderLock[] = [];
const children: Child[] = [];

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "lock "));
  folder = join(parent, "lock");
});
afterEach(async () => {
  await Promise.all(held.splice(0).map((lock) => lock.release()));
  await Promise.all(children.splice(0).map((child) => child.kill()));
  await rm(parent, { recursive: true });
});

/** Tries `times` at once; the locks that were granted. */
async function contend(times: number, where = folder): Promise<readonly FolderLock[]> {
  const answers = await Promise.all(Array.from({ length: times }, () => lockFolder(where)));
  const granted = answers.filter((answer) => "release" in answer);
  held.push(...granted);
  return granted;
}

async function releaseAll(): Promise<void> {
  await Promise.all(held.splice(0).map((lock) => lock.release()));
}

function child(): Child {
  const started = startChild("lock-program.ts", folder);
  children.push(started);
  return started;
}

/** Lets every child try at once and returns what they say. */
async function race(contenders: readonly Child[]): Promise<readonly string[]> {
  await Promise.all(contenders.map((contender) => contender.line()));
  for (const contender of contenders) contender.process.stdin?.write("go\n");
  return Promise.all(contenders.map((contender) => contender.line()));
}

describe("the lock of a folder", () => {
  it("is granted once, names its owner to others, and is free again after its release", async () => {
    const [lock] = await contend(1);
    expect(lock).toBeDefined();
    expect(await lockFolder(folder)).toMatchObject({ pid: process.pid });
    await releaseAll();
    expect(await contend(1)).toHaveLength(1);
  });

  it("is granted to one of many that try at once, whatever came before, and leaves nothing behind", async () => {
    for (let round = 0; round < 20; round += 1) {
      expect(await contend(20)).toHaveLength(1);
      await releaseAll();
    }
    await contend(1);
    const [owner] = (await readlink(join(folder, "head"))).split(".");
    expect((await readdir(folder)).sort()).toEqual([owner, "head"].sort());
  });

  it("is granted to one of many after owners that died while they took over, though their process ids are in use", async () => {
    for (let round = 0; round < 20; round += 1) {
      const ids = [1, 2, 3, 4].map((nth) => String(round * 4 + nth).padStart(16, "0"));
      const links = ["head", ...ids.map((id) => `after-${id}`)];
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder);
      for (const [nth, id] of ids.entries()) {
        await symlink(`${id}.${String(process.pid)}.${hostname()}`, join(folder, links[nth] ?? ""));
      }
      expect(await contend(20)).toHaveLength(1);
      await releaseAll();
    }
  });

  it("works in a folder whose path is too long for a socket", async () => {
    const deep = join(parent, "a".repeat(120), "lock");
    expect(await contend(5, deep)).toHaveLength(1);
    await releaseAll();
    expect(await contend(1, deep)).toHaveLength(1);
  });

  it("passes from a killed process to exactly one of twenty that start together", async () => {
    const first = child();
    expect(await race([first])).toEqual(["mine"]);
    expect(await lockFolder(folder)).toMatchObject({ pid: first.process.pid });
    await first.kill();
    const contenders = Array.from({ length: 20 }, child);
    const answers = await race(contenders);
    const winner = contenders[answers.indexOf("mine")];
    expect(answers.filter((answer) => answer === "mine")).toHaveLength(1);
    expect(await lockFolder(folder)).toMatchObject({ pid: winner?.process.pid });
  }, 60_000);
});
