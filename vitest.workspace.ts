import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** What a workspace starts once for all its tests, such as a database server. */
const globalSetup = (folder: string): string[] => {
  const file = fileURLToPath(new URL(`${folder}/src/testing/global-setup.ts`, import.meta.url));
  return existsSync(file) ? [file] : [];
};

/** One vitest project a workspace folder, all with the same settings: sources are read through the private export condition. */
const folders = ["packages", "packages/internal", "examples"].flatMap((parent) =>
  readdirSync(new URL(parent, import.meta.url))
    .map((name) => `${parent}/${name}`)
    .filter((folder) => existsSync(new URL(`${folder}/package.json`, import.meta.url))),
);

/**
 * Workspaces whose test files share a process and load the sources once: their tests keep nothing in a module and leave no stand-in for one. Loading
 * the sources anew for each file takes longer than most files.
 */
const SHARING: ReadonlySet<string> = new Set([
  ...["alipay", "cli", "core", "express", "fetch", "memory", "node", "postgres", "sandbox", "wechat-pay"].map(
    (name) => `packages/${name}`,
  ),
  "examples/caller-backend",
  "packages/internal/fuzz",
  "packages/internal/mutants",
  "scripts",
]);

export default defineConfig({
  resolve: { conditions: ["@tillkit/source"] },
  ssr: { resolve: { conditions: ["@tillkit/source"], externalConditions: ["@tillkit/source"] } },
  test: {
    // Ends what hangs. A machine that is busy with other work may take tens of times longer than usual, and proves nothing by it.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // Many tests wait for a database or for another process: vitest by itself would leave one processor to these, which on two is half of the time.
    maxWorkers: "100%",
    projects: [...folders, "bench", "scripts"].map((folder) => ({
      extends: true as const,
      test: {
        name: folder.split("/").at(-1) ?? folder,
        root: folder,
        include: ["**/*.test.ts"],
        globalSetup: globalSetup(folder),
        isolate: !SHARING.has(folder),
      },
    })),
  },
});
