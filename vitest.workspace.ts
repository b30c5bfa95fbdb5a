import { existsSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";

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
 * Workspaces that stay a project of their own, because their set-up is not for the other tests.
 *
 * The set-up of `dashboard-page` builds the operators' page and starts Chromium.
 */
const OWN_SETUP: ReadonlySet<string> = new Set(["packages/internal/dashboard-page"]);

/** Whether slow tests run as well: see docs/internals/testing.md. */
const runsSlowTests = process.env["TEST_CASES"] === "many";

/** Slow tests that cannot be skipped by a tag: their files compile core when they are loaded. */
const COMPILING = ["**/docs/reference.test.ts", "**/docs/openapi/document.test.ts"];

/** Tests that need a server of their own run only if its variable has the server's URL. */
const exclude = [
  ...configDefaults.exclude,
  "**/template/nest/**", // `npm run adoption` runs it with Jest: its packages are installed only there
  ...(runsSlowTests ? [] : COMPILING),
  ...[["TEST_CITUS_URL", "citus"] as const, ["TEST_PGBOUNCER_URL", "pgbouncer"] as const]
    .filter(([variable]) => (process.env[variable] ?? "") === "")
    .map(([, name]) => `**/*.${name}.test.ts`),
];

/** Returns the vitest project of a workspace, which is named after its folder. */
const projectOf = (folder: string) => ({
  extends: true as const,
  test: {
    name: folder.split("/").at(-1) ?? folder,
    root: folder,
    include: ["**/*.test.ts"],
    exclude,
    globalSetup: globalSetup(folder),
  },
});

/** Returns the project with only the tests of money, because tests in a browser are slow. */
const onlyMoney = ({ test, ...project }: ReturnType<typeof projectOf>) => ({
  ...project,
  test: { ...test, include: ["**/money/*.test.ts"] },
});

/**
 * Returns the projects of a run.
 *
 * Each project transforms and loads the sources for itself. Therefore a run without `--project` has
 * one project, `shared`, for all workspaces except {@link OWN_SETUP}.
 */
const projects = () => {
  if (process.argv.some((argument) => argument.startsWith("--project"))) return folders.map(projectOf);
  const merged = folders.filter((folder) => !OWN_SETUP.has(folder));
  const shared = {
    extends: true as const,
    test: {
      name: "shared",
      include: merged.map((folder) => `${folder}/**/*.test.ts`),
      exclude,
      globalSetup: merged.flatMap(globalSetup),
    },
  };
  return [
    shared,
    ...[...OWN_SETUP].map(projectOf).map((project) => (runsSlowTests ? project : onlyMoney(project))),
  ];
};

export default defineConfig({
  resolve: { conditions: ["@tillkit/source"] },
  ssr: { resolve: { conditions: ["@tillkit/source"], externalConditions: ["@tillkit/source"] } },
  test: {
    // Ends tests that hang. On a busy machine a test may take tens of times longer than usual.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    // Slow tests often wait for other processes. With them there are more workers than processors.
    // vitest's default leaves one processor unused, which is half of a machine with two.
    maxWorkers: Math.ceil(availableParallelism() * (runsSlowTests ? 1.5 : 1)),
    // The test files of a project share processes, which load the sources once. Loading them for
    // each file would take longer than most files. Tests keep no state in a module and leave no
    // module mock.
    isolate: false,
    tags: [{ name: "slow", description: "Runs only with TEST_CASES=many.", skip: !runsSlowTests }],
    // More memory for new objects. It saves 5 % of the time, because tests create much garbage.
    execArgv: ["--min-semi-space-size=32", "--max-semi-space-size=128"],
    // Keeps transformed sources in `node_modules`. The next run transforms only changed files.
    experimental: { fsModuleCache: true },
    projects: projects(),
  },
});
