import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { keptWorker } from "./kept-worker.js";
import { sourceAliases } from "./source-aliases.js";

const root = fileURLToPath(new URL("../../../../..", import.meta.url));
const ownTests = ["packages/core/src/**/*.test.ts"];
const testsInMemory = [
  "packages/memory/src/**/*.test.ts",
  "packages/internal/mutants/src/stryker/api.mutation.ts",
];

/**
 * Selects the core's own tests and those that run the core on the memory stores.
 *
 * One worker loads the sources once.
 */
export default defineConfig({
  root,
  plugins: [keptWorker()],
  resolve: { alias: [...sourceAliases(root)] },
  test: {
    testTimeout: 20_000,
    isolate: false,
    include: process.env["MUTATION_TESTS"] === "core" ? ownTests : [...ownTests, ...testsInMemory],
  },
});
