import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { assault } from "./assault.js";

const options = {
  targets: [{ name: "payments", share: 1 }],
  requests: 10,
  seed: 7,
  jobs: 1,
  progress: () => undefined,
} as const;

function program(name: string): string {
  return fileURLToPath(new URL(`testing/${name}-program.ts`, import.meta.url));
}

it("finds a process that hangs, and says in which story", async () => {
  const { findings } = await assault({ ...options, program: program("hanging"), silence: 3_000 });
  expect(findings).toMatchObject([
    { target: "payments", broken: "it hangs, and lets nothing else run", seed: 7, path: "2" },
  ]);
});

it("finds a process that dies, and says in which story", async () => {
  const { findings } = await assault({ ...options, program: program("dying") });
  expect(findings).toMatchObject([{ broken: "the process ended with 3", seed: 7, path: "1" }]);
});
