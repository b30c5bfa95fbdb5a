import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { workspacesIn } from "../../../../../scripts/lib/packages.js";
import { keptWorker } from "./kept-worker.js";

/** Maps each import of a workspace to its source in this copy of the repository. */
const sources = workspacesIn("packages").flatMap(({ name, exports, path }) =>
  Object.entries(exports).flatMap(([entry, target]) => {
    const source = typeof target === "string" ? undefined : target["@tillkit/source"];
    if (source === undefined) return [];
    return [{ find: new RegExp(`^${name}${entry.slice(1)}$`), replacement: `${path}/${source}` }];
  }),
);

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
  root: fileURLToPath(new URL("../../../../..", import.meta.url)),
  plugins: [keptWorker()],
  resolve: { alias: sources },
  test: {
    testTimeout: 20_000,
    isolate: false,
    include: process.env["MUTATION_TESTS"] === "core" ? ownTests : [...ownTests, ...testsInMemory],
  },
});
