import { spawnSync } from "node:child_process";
import { builtProgram } from "@tillkit/built-program";
import { expect, it } from "vitest";

const main = await builtProgram(new URL("main.ts", import.meta.url));

function runProgram(...preload: readonly string[]) {
  return spawnSync(process.execPath, [...preload, main], { encoding: "utf8" });
}

/** Returns the Node options that run `source` before the program. */
function before(source: string): readonly string[] {
  return ["--import", `data:text/javascript,${encodeURIComponent(source)}`];
}

// The program waits until the service shows the refund.
const timeout = 60_000;

it("passes every check and exits with 0", { timeout }, () => {
  const { status, stdout, stderr } = runProgram();
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect(stdout).toMatch(/every check passed\n$/);
});

it("exits with 1 if an unpaid order is reported as paid", { tags: "slow", timeout }, () => {
  const liar = `const ask = globalThis.fetch;
    globalThis.fetch = async (...call) => {
      const response = await ask(...call);
      return new Response((await response.text()).replace('"PENDING"', '"PAID"'), { status: response.status });
    };`;
  const { status, stdout, stderr } = runProgram(...before(liar));
  expect(status).toBe(1);
  expect(stderr).toContain("a check failed");
  expect(stdout).not.toContain("grants nothing");
});
