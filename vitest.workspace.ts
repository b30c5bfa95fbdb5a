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

/** The folders of the workspaces. All have the same settings. */
const folders = [
  ...["packages", "packages/internal", "examples"].flatMap((parent) =>
    readdirSync(new URL(parent, import.meta.url))
      .map((name) => `${parent}/${name}`)
      .filter((folder) => existsSync(new URL(`${folder}/package.json`, import.meta.url))),
  ),
  "bench",
  "scripts",
];

/**
 * Workspaces whose test files share one process, which loads the sources once.
 *
 * Their tests keep no state in a module and leave no module mock. Loading the sources for each file
 * would take longer than most files.
 */
const SHARED_PROCESS: ReadonlySet<string> = new Set([
  ...[
    ...[
      "alipay",
      "cli",
      "contract-tests",
      "core",
      "express",
      "fastify",
      "fetch",
      "memory",
      "node",
      "postgres",
    ],
    ...["runtime", "sandbox", "wallet-kit", "wechat-pay"],
  ].map((name) => `packages/${name}`),
  ...["examples/caller-backend", "examples/production"],
  ...["crash", "fault-injection", "fuzz"].map((name) => `packages/internal/${name}`),
  "packages/internal/mutants",
  "packages/internal/simulation",
  "scripts",
]);

/** Returns the vitest project of a workspace, which is named after its folder. */
const projectOf = (folder: string) => ({
  extends: true as const,
  test: {
    name: folder.split("/").at(-1) ?? folder,
    root: folder,
    include: ["**/*.test.ts"],
    globalSetup: globalSetup(folder),
    isolate: !SHARED_PROCESS.has(folder),
  },
});

/**
 * Returns the projects of a run.
 *
 * Each project transforms and loads the sources for itself. Therefore a run without `--project` has
 * one project, `libraries`, for all workspaces that share a process and start nothing else.
 */
const projects = () => {
  if (process.argv.some((argument) => argument.startsWith("--project"))) return folders.map(projectOf);
  const merged = folders.filter((folder) => SHARED_PROCESS.has(folder) && globalSetup(folder).length === 0);
  const libraries = {
    extends: true as const,
    test: {
      name: "libraries",
      include: merged.map((folder) => `${folder}/**/*.test.ts`),
      isolate: false,
    },
  };
  return [libraries, ...folders.filter((folder) => !merged.includes(folder)).map(projectOf)];
};

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
    projects: projects(),
  },
});
