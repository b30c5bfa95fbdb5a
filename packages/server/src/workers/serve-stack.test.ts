import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { ask } from "./ask.js";
import { stackSocketOf } from "./serve-stack.js";

/** Timeout in milliseconds for answers that arrive. */
const PATIENT = 30_000;
const frames = z.array(z.string());

/** Starts a process that serves its stack and runs `code`. The code prints a line with `say`. */
async function start(code: string) {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-stack-"));
  const socketPath = join(folder, "worker.sock");
  const module = JSON.stringify(new URL("serve-stack.ts", import.meta.url).href);
  const main = join(folder, "main.mts");
  await writeFile(
    main,
    `const { serveStack } = await import(${module});
     serveStack(${JSON.stringify(socketPath)});
     const say = () => console.log("started");
     setTimeout(() => { ${code} }, 500);
     setInterval(() => undefined, 50);`,
  );
  const tsx = fileURLToPath(import.meta.resolve("tsx"));
  const child = spawn(process.execPath, ["--import", tsx, main], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    await rm(folder, { recursive: true });
  });
  await once(child.stdout, "data");
  const stack = async (ms = PATIENT) => {
    const answer = await ask(stackSocketOf(socketPath), "/", ms);
    return answer === undefined ? undefined : frames.parse(JSON.parse(answer.body));
  };
  return { child, stack };
}

it("names the function of an endless loop, again and again, while the process is blocked", async () => {
  const { stack } = await start(
    "const countForEver = (n = 0) => { say(); for (;;) n += 1; }; countForEver();",
  );
  const blockedIn = async () => (await stack())?.[0];
  // The process may still be printing its line.
  await expect.poll(blockedIn, { timeout: PATIENT }).toMatch(/^countForEver .*main\.mts:\d+:\d+$/);
  expect(await blockedIn()).toMatch(/^countForEver /);
});

it("limits the frames and their length for a deep stack", async () => {
  const name = "deep".repeat(100);
  const { stack } = await start(
    `const o = { ${name}(n) { if (n > 0) { o.${name}(n - 1); return; } say(); for (;;); } }; o.${name}(3_000);`,
  );
  const found = (await stack()) ?? [];
  expect(found).toHaveLength(20);
  expect(Math.max(...found.map((frame) => frame.length))).toBeLessThanOrEqual(201);
});

it("does not stop a process that is not blocked", async () => {
  const { child, stack } = await start("say(); setTimeout(() => process.exit(7), 2_000);");
  expect((await stack())?.length).toBeGreaterThan(0);
  await once(child, "exit");
  expect(child.exitCode).toBe(7);
});

it("does not answer for a process that was stopped", async () => {
  const { child, stack } = await start("say();");
  child.kill("SIGSTOP");
  expect(await stack(200)).toBeUndefined();
});
