import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/**
 * Returns the module that starts what all tests of a workspace share, such as a database server.
 */
const globalSetup = (folder: string): string[] => {
  const file = fileURLToPath(new URL(`${folder}/src/testing/global-setup.ts`, import.meta.url));
  return existsSync(file) ? [file] : [];
};

/** The folders of the workspaces. Each is a vitest project, and all have the same settings. */
const folders = ["packages", "packages/internal", "examples"].flatMap((parent) =>
  readdirSync(new URL(parent, import.meta.url))
    .map((name) => `${parent}/${name}`)
    .filter((folder) => existsSync(new URL(`${folder}/package.json`, import.meta.url))),
);

/**
 * Workspaces whose test files share one process, which loads the sources once.
 *
 * Their tests keep no state in a module and leave no module mock. Loading the sources for each file
 * would take longer than most files.
 */
const SHARED_PROCESS: ReadonlySet<string> = new Set([
  ...[
    "alipay",
    "cli",
    "core",
    "express",
    "fastify",
    "fetch",
    "memory",
    "node",
    "postgres",
    "sandbox",
    "wechat-pay",
  ].map((name) => `packages/${name}`),
  "examples/caller-backend",
  "packages/internal/fuzz",
  "packages/internal/mutants",
  "scripts",
]);

export default defineConfig({
  resolve: { conditions: ["@tillkit/source"] },
  ssr: { resolve: { conditions: ["@tillkit/source"], externalConditions: ["@tillkit/source"] } },
  test: {
    // Ends tests that hang. On a busy machine a test may take tens of times longer than usual.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // Many tests wait for a database or another process. vitest's default leaves one processor
    // unused, which is half of a machine with two.
    maxWorkers: "100%",
    projects: [...folders, "bench", "scripts"].map((folder) => ({
      extends: true as const,
      test: {
        name: folder.split("/").at(-1) ?? folder,
        root: folder,
        include: ["**/*.test.ts"],
        globalSetup: globalSetup(folder),
        isolate: !SHARED_PROCESS.has(folder),
      },
    })),
  },
});
