import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { describe, it } from "vitest";

const PROGRAM = fileURLToPath(new URL("testing/unruly-program.ts", import.meta.url));

/** Whether a server accepts connections. */
async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

describe.concurrent("a server that its program never stops", { tags: "slow" }, () => {
  it.for<
    readonly [
      how: string,
      end: (program: ChildProcess) => void,
      ending: readonly [number | null, string | null],
    ]
  >([
    ["throws", (program) => program.send("throw"), [1, null]],
    ["receives a signal to end", (program) => program.kill("SIGTERM"), [null, "SIGTERM"]],
  ])("ends, and its folder is removed, if the program %s", async ([, end, ending], { expect }) => {
    const folder = await mkdtemp(join(tmpdir(), "tillkit-unruly-"));
    try {
      // The server may run as another user.
      await chmod(folder, 0o755);
      const program = fork(PROGRAM, {
        env: { ...process.env, TMPDIR: folder },
        execArgv: ["--import", "tsx"],
        stdio: ["ignore", "ignore", "ignore", "ipc"],
      });
      const ended = once(program, "exit");
      const url = await new Promise((resolve) => program.once("message", resolve));
      expect(await readdir(folder)).toContainEqual(expect.stringMatching(/^tillkit-postgres-/));
      end(program);
      expect(await ended).toEqual(ending);
      expect((await readdir(folder)).filter((name) => name.startsWith("tillkit-postgres-"))).toEqual([]);
      await expect.poll(() => answers(String(url))).toBe(false);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("ends with a program that receives a signal before the server is ready", async ({ expect }) => {
    const folder = await mkdtemp(join(tmpdir(), "tillkit-unready-"));
    try {
      // The server may run as another user.
      await chmod(folder, 0o777);
      const put = (name: string, script: string) =>
        writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      await put("initdb", "exit 0");
      // Acts like a server that recovers for a long time and stops immediately on SIGQUIT.
      await put(
        "postgres",
        `trap 'echo > ${folder}/ended; exit' QUIT; echo > ${folder}/began; while [ -e ${folder}/began ]; do sleep 0.05; done`,
      );
      const program = fork(PROGRAM, [folder], {
        execArgv: ["--import", "tsx"],
        stdio: ["ignore", "ignore", "ignore", "ipc"],
      });
      const over = once(program, "exit");
      await expect.poll(() => readdir(folder)).toContain("began");
      program.kill("SIGTERM");
      expect(await over).toEqual([null, "SIGTERM"]);
      await expect.poll(() => readdir(folder)).toContain("ended");
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
