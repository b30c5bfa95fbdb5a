import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readlink, rm, symlink } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { builtProgram } from "@tillkit/built-program";
import { caseCount } from "@tillkit/contract-tests";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FolderLock, lockFolder } from "./folder-lock.js";

const program = await builtProgram(new URL("../testing/lock-program.ts", import.meta.url));

let parent: string;
let folder: string;
let links: string;
const stored: FolderLock[] = [];
const contenders: Contender[] = [];

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "lock "));
  folder = join(parent, "data");
  links = join(folder, "lock");
});
afterEach(async () => {
  await Promise.all(stored.splice(0).map((lock) => lock.release()));
  await Promise.all(contenders.splice(0).map((contender) => contender.kill()));
  await rm(parent, { recursive: true });
});

/**
 * Starts `times` overlapping attempts to take the lock.
 *
 * Each attempt starts a few turns of the event loop after the previous one.
 *
 * @returns the granted locks.
 */
async function contend(times: number, where = folder): Promise<readonly FolderLock[]> {
  const tries = Array.from({ length: times }, async (_, nth) => {
    for (let turn = 0; turn < 5 * nth; turn += 1) await new Promise(setImmediate);
    return lockFolder(where);
  });
  const answers = await Promise.all(tries);
  const granted = answers.flatMap((answer) => answer.unwrapOr([]));
  stored.push(...granted);
  return granted;
}

async function releaseAll(): Promise<void> {
  await Promise.all(stored.splice(0).map((lock) => lock.release()));
}

/** A process that tries to take the lock on command, and then keeps it. */
interface Contender {
  readonly process: ChildProcess;
  /** Resolves when the process waits for the command. */
  readonly ready: Promise<unknown>;
  /** Makes the process try to take the lock. Resolves with the output of the process. */
  try(): Promise<string>;
  kill(): Promise<void>;
}

function contender(): Contender {
  const child = spawn(process.execPath, [program, folder], { stdio: ["pipe", "pipe", "inherit"] });
  const gone = once(child, "close");
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const line = async () => String((await lines.next()).value);
  const made: Contender = {
    process: child,
    ready: line(),
    try: () => {
      child.stdin.write("go\n");
      return line();
    },
    kill: async () => {
      child.kill("SIGKILL");
      await gone;
    },
  };
  contenders.push(made);
  return made;
}

describe("the lock of a folder", () => {
  it("is granted once, identifies its owner to others, and is free again after its release", async () => {
    const [lock] = await contend(1);
    expect(lock).toBeDefined();
    const refused = (await lockFolder(folder))._unsafeUnwrapErr();
    expect(refused).toMatchObject({ name: "folder.in-use", pid: process.pid, host: hostname() });
    expect(refused.message).toMatch(
      /^The folder .*data is in use by process \d+ on .*\. Stop that process, .*\.$/,
    );
    await releaseAll();
    expect(await contend(1)).toHaveLength(1);
  });

  it("is granted to one of many concurrent attempts after any history, and leaves no files behind", async () => {
    for (let round = 0; round < 20; round += 1) {
      expect(await contend(20)).toHaveLength(1);
      await releaseAll();
    }
    await contend(1);
    const [owner] = (await readlink(join(links, "head"))).split(".");
    expect((await readdir(links)).sort()).toEqual([owner, "head"].sort());
  });

  it("is granted to one of many attempts after owners died during a takeover, even if their process ids are in use", async () => {
    for (let round = 0; round < 20; round += 1) {
      const ids = [1, 2, 3, 4].map((nth) => String(round * 4 + nth).padStart(16, "0"));
      const names = ["head", ...ids.map((id) => `after-${id}`)];
      await rm(folder, { recursive: true, force: true });
      await mkdir(links, { recursive: true });
      for (const [nth, id] of ids.entries()) {
        await symlink(`${id}.${String(process.pid)}.${hostname()}`, join(links, names[nth] ?? ""));
      }
      expect(await contend(20)).toHaveLength(1);
      await releaseAll();
    }
  });

  it("works in a folder whose path is too long for a socket", async () => {
    const deep = join(parent, "a".repeat(120));
    expect(await contend(5, deep)).toHaveLength(1);
    await releaseAll();
    expect(await contend(1, deep)).toHaveLength(1);
  });

  it("fails for a folder that cannot be locked", async () => {
    const refused = (await lockFolder("/dev/null/data"))._unsafeUnwrapErr();
    expect(refused.name).toBe("folder.unusable");
    expect(refused.message).toMatch(/^The folder \/dev\/null\/data cannot be locked \(ENOTDIR.*\)\. .*$/);
  });

  it("passes from a killed process to exactly one of many processes that start concurrently", async () => {
    const first = contender();
    await first.ready;
    expect(await first.try()).toBe("mine");
    await first.kill();
    const many = Array.from({ length: caseCount({ few: 5, many: 20 }) }, contender);
    await Promise.all(many.map(({ ready }) => ready));
    const answers = await Promise.all(many.map((one) => one.try()));
    const [winner, ...others] = many.filter((_, nth) => answers[nth] === "mine");
    expect(others).toEqual([]);
    const pid = winner?.process.pid ?? 0;
    const refusals = answers.filter((answer) => answer.includes(`is in use by process ${pid} on `));
    expect(refusals).toHaveLength(many.length - 1);
  });
});
