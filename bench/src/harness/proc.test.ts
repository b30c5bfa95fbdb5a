import { fork } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { parentOf, usageOf } from "./proc.js";

describe.runIf(process.platform === "linux")("usageOf", () => {
  it("returns the processor time and the memory of a process with its children", async () => {
    const busy = `const until = Date.now() + 300; while (Date.now() < until); process.send("done"); setInterval(() => 0, 1e6);`;
    const before = await usageOf(process.pid);
    const child = fork("-e", [busy], { execArgv: [] });
    const { pid = 0 } = child;
    await once(child, "message");
    expect(await parentOf(pid)).toBe(process.pid);
    const [alone, together] = [await usageOf(pid), await usageOf(process.pid)];
    expect(alone.cpu).toBeGreaterThan(20_000);
    expect(alone.rss).toBeGreaterThan(20);
    expect(together.cpu).toBeGreaterThanOrEqual(before.cpu + alone.cpu - 20_000);
    expect(together.rss).toBeGreaterThan(alone.rss);
    child.kill();
    await once(child, "exit");
  });
});
