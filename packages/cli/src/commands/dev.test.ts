import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { systemClock } from "@tillkit/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { run } from "../run.js";
import { installedWallets } from "../wallets.js";

const facts = z.looseObject({ baseUrl: z.string(), appId: z.string(), appSecret: z.string() });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tillkit-dev-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** A run of `tillkit dev` in this process. */
interface DevRun {
  readonly code: Promise<number>;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves when the host is ready, or when the run has ended. */
  readonly ready: Promise<void>;
  /** Does what Ctrl+C does. */
  readonly stop: () => void;
}

function dev(options: readonly string[], env: Readonly<Record<string, string>> = {}): DevRun {
  const stopping = new AbortController();
  const collected = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof collected) =>
    new PassThrough().setEncoding("utf8").on("data", (text: string) => {
      collected[name] += text;
    });
  let code: Promise<number> = Promise.resolve(0);
  const ready = new Promise<void>((onReady) => {
    code = run(["dev", ...options], {
      stdin: Readable.from([]),
      stdout: stream("stdout"),
      stderr: stream("stderr"),
      env,
      clock: systemClock,
      openWallets: installedWallets,
      stop: stopping.signal,
      dev: { onReady },
    });
    void code.then(() => onReady());
  });
  return {
    code,
    stdout: () => collected.stdout,
    stderr: () => collected.stderr,
    ready,
    stop: () => stopping.abort(),
  };
}

describe("tillkit dev", { timeout: 300_000 }, () => {
  it("serves, continues with its data, and starts anew with --fresh", async () => {
    const dataDir = join(folder, "data");
    const start = async (...more: readonly string[]) => {
      // The environment of other commands names databases, which this command must not touch.
      const env = { DATABASE_URL: "postgres://127.0.0.1:1/shop", DATA_DIR: join(folder, "other") };
      const host = dev(["--port", "0", "--data-dir", dataDir, "--no-history", "--json", ...more], env);
      await host.ready;
      const found = facts.parse(JSON.parse(host.stdout()));
      const { baseUrl, appId, appSecret } = found;
      const answer = await fetch(`${baseUrl}/payTools.json`, {
        headers: { APP_ID: appId, APP_SECRET: appSecret },
      });
      expect(await answer.json()).toMatchObject({ code: 0 });
      expect(host.stderr()).toContain(`  data folder            ${dataDir}\n`);
      host.stop();
      expect(await host.code).toBe(0);
      await expect(fetch(baseUrl)).rejects.toThrow();
      return found;
    };
    const first = await start();
    expect((await start()).appSecret).toBe(first.appSecret);
    await writeFile(join(dataDir, "notes.txt"), "mine");
    expect((await start("--fresh")).appSecret).not.toBe(first.appSecret);
    expect(await readdir(dataDir)).toContain("notes.txt");
    expect(existsSync(join(folder, "other"))).toBe(false);
  });

  it("uses the next free port, unless an option sets a port", async () => {
    const other = createServer();
    // Another program may already use the port. The test then works as well.
    await new Promise<void>((resolve) => {
      other
        .once("error", () => resolve())
        .once("listening", () => resolve())
        .listen(8787, "127.0.0.1");
    });
    try {
      const asked = dev(["--port", "8787", "--data-dir", join(folder, "unused")]);
      expect(await asked.code).toBe(3);
      expect(asked.stderr()).toMatch(/^Port 8787 is in use\..*--port 0 selects a free one\.\n$/);
      expect(existsSync(join(folder, "unused"))).toBe(false);
      // A file instead of a folder ends the start after the port was chosen.
      await writeFile(join(folder, "file"), "");
      const free = dev(["--data-dir", join(folder, "file")]);
      expect(await free.code).toBe(3);
      expect(free.stdout()).toMatch(/^Port 8787 is in use, so the host uses port 87(8[89]|9\d)\.\n/);
    } finally {
      other.close();
    }
  });

  it("deletes nothing of a folder that it has not written", async () => {
    const foreign = join(folder, "foreign");
    await mkdir(join(foreign, "database"), { recursive: true });
    const refused = dev(["--port", "0", "--data-dir", foreign, "--fresh"]);
    expect(await refused.code).toBe(3);
    expect(refused.stderr()).toContain("Nothing was deleted.");
    expect(await readdir(foreign)).toEqual(["database"]);
  });

  it.each([
    [["--postgres-url", "mysql://me:hidden@host/shop"], "--postgres-url must look like postgres://"],
    [["--postgres-url", "postgres://h/shop", "--fresh"], "--fresh deletes the files of a folder only"],
    [["--port", "http"], "must be a whole number from 0 to 65535"],
    [["shop"], "too many arguments"],
    [["--prot=80"], "unknown option '--prot=80'"],
  ])("refuses %j with 2", async (options, message) => {
    const refused = dev(options);
    expect(await refused.code).toBe(2);
    expect(refused.stderr()).toContain(message);
    expect(refused.stderr()).not.toContain("hidden");
  });
});
