import { cp } from "node:fs/promises";
import { root, runOrThrow } from "@tillkit/repository";
import { asInstalled, install } from "../lib/install.js";
import { REGISTRY_VERSIONS } from "../lib/registry-versions.js";
import type { AdoptionStep } from "../lib/step.js";

const JEST = ["--experimental-vm-modules", "--no-warnings", "node_modules/jest/bin/jest.js", "--ci"];

/** The arguments of Node for each test runner. */
const RUNNERS = {
  vitest: ["node_modules/vitest/vitest.mjs", "run", "src/vitest", "--reporter=json"],
  "node:test": ["--import", "tsx", "--test", "--test-reporter=tap", "src/node-test/memberships.ts"],
  Jest: [...JEST, "--config", "src/jest/jest.config.js", "--json"],
} as const;

/** Runs the tests of `examples/embedder-tests` with each test runner. */
export const embedderTests: AdoptionStep = {
  name: "embedder-tests",
  shows: "an embedder's tests pass with vitest, node:test and Jest on ES modules",
  run: async ({ folder, tarballs }) => {
    await cp(`${root}examples/embedder-tests/src`, `${folder}/src`, { recursive: true });
    const others = [...["vitest", "tsx", "esbuild", "neverthrow"].map(asInstalled), REGISTRY_VERSIONS.jest];
    await install(folder, tarballs, ["@tillkit/core", "@tillkit/memory"], others);
    const lines: string[] = [];
    for (const [runner, args] of Object.entries(RUNNERS)) {
      const output = await runOrThrow(process.execPath, args, folder);
      const passed = Number(/"numPassedTests":\s*(\d+)|^# pass (\d+)$/mu.exec(output)?.slice(1).join(""));
      if (!(passed >= 5))
        throw new Error(`${runner} passed ${passed} tests instead of 5 or more.\n${output}`);
      lines.push(`${runner}: ${passed} tests passed`);
    }
    return lines.join("\n");
  },
};
