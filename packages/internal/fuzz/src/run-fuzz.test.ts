import { fileURLToPath } from "node:url";
import { beforeEach, expect, it, vi } from "vitest";
import { runFuzz, type TargetFinding } from "./run-fuzz.js";

// A round takes one or two seconds alone, and many times as long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const found: TargetFinding[] = [];
beforeEach(() => void found.splice(0));

const options = {
  targets: [{ name: "payments", share: 1 }],
  requests: 10,
  seed: 7,
  jobs: 1,
  progress: () => undefined,
  onFinding: (finding: TargetFinding) => void found.push(finding),
} as const;

function program(name: string): string {
  return fileURLToPath(new URL(`testing/${name}-program.ts`, import.meta.url));
}

it("runFuzz finds a process that hangs, and reports the test case", { tags: "slow" }, async () => {
  const { findings } = await runFuzz({ ...options, program: program("hanging"), silence: 8_000 });
  expect(findings).toBe(1);
  expect(found).toMatchObject([
    { target: "payments", broken: "it hangs and blocks the process", seed: 7, path: "2" },
  ]);
});

it("runFuzz finds a process that dies, and reports the test case", async () => {
  const { findings } = await runFuzz({ ...options, program: program("dying") });
  expect(findings).toBe(1);
  expect(found).toMatchObject([{ broken: "the process ended with 3", seed: 7, path: "1" }]);
});
