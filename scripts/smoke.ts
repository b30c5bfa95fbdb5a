// Installs the packages from tarballs into an empty folder as a consumer would, checks the types
// there, and runs programs.
import { readFileSync } from "node:fs";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { startPostgres } from "@tillkit/local-postgres";
import { z } from "zod";
import {
  publishablePackages,
  readJsonFile,
  root,
  runOrThrow,
  secondsSince,
  withTemporaryFolder,
} from "@tillkit/repository";
import { brokenMaps } from "./lib/broken-maps.js";
import { ensureBuilt } from "./lib/ensure-built.js";
import { packAll, type Tarball } from "./lib/pack.js";

const PROGRAMS = ["embed-core", "serve-http", "own-zod", "errors-alone"];
/** What a consumer brings itself: the compiler, types and the peer dependencies. */
const TOOLS = ["typescript", "@types/node", "@types/express", "express", "vitest", "zod"];

const dependencyNames = z.record(z.string(), z.string()).default({});
const manifest = z.object({ dependencies: dependencyNames, devDependencies: dependencyNames });

const began = performance.now();
const packages = publishablePackages();
await ensureBuilt(packages);
await withTemporaryFolder(async (folder) => {
  const tarballs = await packAll(packages, folder);
  console.log(`packed ${tarballs.length} packages`);
  await useAll(tarballs, `${folder}/consumer`);
  await runCopiedExample(tarballs, `${folder}/production`);
  await countInstalledPackages("@tillkit/core", tarballs, `${folder}/core-alone`);
  await countInstalledPackages("@tillkit/postgres", tarballs, `${folder}/postgres-alone`);
});
console.log(`smoke passed in ${secondsSince(began)} s`);

/** Uses every package: its exports resolve, type-check without `skipLibCheck`, and run. */
async function useAll(tarballs: readonly Tarball[], folder: string): Promise<void> {
  await cp(`${root}scripts/smoke`, folder, { recursive: true });
  await writeFile(`${folder}/every-entry.ts`, importEveryEntry(tarballs));
  const tools = TOOLS.map((name) => `${name}@${installedVersion(name)}`);
  await install(folder, [...tarballs.map(({ file }) => file), ...tools]);
  await runOrThrow(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "."], folder);
  console.log("type-checked a consumer of every entry");
  checkMaps(tarballs, folder);
  for (const program of PROGRAMS) {
    console.log((await runOrThrow(process.execPath, [`out/${program}.js`], folder)).trim());
  }
}

/** Checks that every map of the installed packages leads to an installed source. */
function checkMaps(tarballs: readonly Tarball[], folder: string): void {
  const broken = tarballs.flatMap(({ workspace: { name }, files }) =>
    brokenMaps(files, (file) => readFileSync(`${folder}/node_modules/${name}/${file}`, "utf8")).map(
      (problem) => `${name}: ${problem}`,
    ),
  );
  if (broken.length > 0) throw new Error(broken.join("\n"));
  console.log("every source map and declaration map leads to a shipped source");
}

/**
 * Copies `examples/production` out of the repository, installs the tarballs there, and runs it.
 *
 * Checks its types first.
 */
async function runCopiedExample(tarballs: readonly Tarball[], folder: string): Promise<void> {
  const example = `${root}examples/production`;
  await cp(example, folder, { recursive: true, filter: (path) => !path.includes("/node_modules") });
  const { dependencies, devDependencies } = manifest.parse(readJsonFile(`${example}/package.json`));
  const names = Object.keys({ ...dependencies, ...devDependencies });
  const published = new Set(tarballs.map(({ workspace }) => workspace.name));
  const others = names.filter((name) => !published.has(name));
  const pinned = others.map((name) => `${name}@${installedVersion(name)}`);
  await install(folder, [...tarballs.map(({ file }) => file), ...pinned]);
  await runOrThrow("npm", ["run", "typecheck"], folder);
  const server = await startPostgres();
  try {
    await runOrThrow("npm", ["run", "rehearse"], folder, { REHEARSAL_DATABASE_URL: server.url });
  } finally {
    await server.stop();
  }
  console.log("examples/production was copied out, started, asked for its health and stopped");
}

/**
 * Installs the package `name` alone into `folder` and prints which packages npm installs for it.
 */
async function countInstalledPackages(
  name: string,
  tarballs: readonly Tarball[],
  folder: string,
): Promise<void> {
  const needed = withNeighbours(name);
  const files = tarballs.filter(({ workspace }) => needed.has(workspace.name)).map(({ file }) => file);
  await mkdir(folder);
  await writeFile(`${folder}/package.json`, JSON.stringify({ private: true }));
  await install(folder, files);
  const lock = z.object({
    packages: z.record(z.string(), z.object({ optional: z.boolean().default(false) })),
  });
  const installed = lock.parse(readJsonFile(`${folder}/node_modules/.package-lock.json`)).packages;
  const names = (optional: boolean) =>
    Object.entries(installed)
      .filter(([, one]) => one.optional === optional)
      .map(([path]) => path.slice("node_modules/".length));
  const required = names(false);
  const extra = names(true).map((name) => `, and ${name} where the platform has it`);
  console.log(`${name} alone installs ${required.length} packages: ${required.join(", ")}${extra.join("")}`);
}

/** Returns the package `name` and its direct and indirect dependencies in this repository. */
function withNeighbours(name: string): ReadonlySet<string> {
  const one = packages.find((candidate) => candidate.name === name);
  if (one === undefined) throw new Error(`There is no package ${name}.`);
  const dependencies = packages.filter((other) => Object.hasOwn(one.dependencies, other.name));
  return new Set([name, ...dependencies.flatMap((other) => [...withNeighbours(other.name)])]);
}

async function install(folder: string, packages: readonly string[]): Promise<void> {
  await runOrThrow("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...packages], folder);
}

/**
 * Creates a module that imports every entry of every package, so that all declarations are checked.
 */
function importEveryEntry(tarballs: readonly Tarball[]): string {
  const entries = tarballs.flatMap(({ workspace: { name, exports } }) =>
    Object.keys(exports).map((entry) => name + entry.slice(1)),
  );
  const imports = entries.map((entry, index) => `import * as entry${index} from "${entry}";`);
  return `${imports.join("\n")}\nconsole.log([${entries.map((_, index) => `entry${index}`).join(", ")}].length);\n`;
}

/**
 * Returns the installed version of a package, so that a consumer gets the same version every time.
 */
function installedVersion(name: string): string {
  return z.object({ version: z.string() }).parse(readJsonFile(`${root}node_modules/${name}/package.json`))
    .version;
}
