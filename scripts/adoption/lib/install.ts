import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { z } from "zod";
import { readJsonFile, root, runOrThrow } from "@tillkit/repository";
import type { Tarball } from "../../lib/pack.js";

/**
 * Installs packages of this repository from their tarballs, and other packages from the registry.
 *
 * @param own - names of packages of this repository. Their dependencies in it come along.
 * @param others - packages with versions, as `npm install` expects them.
 * @param env - added to the environment of npm.
 */
export async function install(
  folder: string,
  tarballs: readonly Tarball[],
  own: readonly string[],
  others: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  await mkdir(folder, { recursive: true });
  if (!existsSync(`${folder}/package.json`))
    await writeFile(`${folder}/package.json`, JSON.stringify({ private: true, type: "module" }));
  const needed = withNeighbours(own, tarballs);
  const files = tarballs.filter(({ workspace }) => needed.has(workspace.name)).map(({ file }) => file);
  await runOrThrow("npm", ["install", ...NPM_OPTIONS, ...files, ...others], folder, env);
}

/**
 * The settings of a new folder, whatever the settings of this repository are.
 *
 * A package whose `engines` exclude this version of Node gets a warning there, no error.
 */
const NPM_OPTIONS = [
  "--no-audit",
  "--no-fund",
  "--prefer-offline",
  "--ignore-scripts",
  "--engine-strict=false",
];

/**
 * Returns the installed version of a package, so that a consumer gets the same version every time.
 */
export function installedVersion(name: string): string {
  return z.object({ version: z.string() }).parse(readJsonFile(`${root}node_modules/${name}/package.json`))
    .version;
}

/** Returns `name@version` with the version that this repository has installed. */
export function asInstalled(name: string): string {
  return `${name}@${installedVersion(name)}`;
}

/** Returns the packages and their direct and indirect dependencies in this repository. */
function withNeighbours(names: readonly string[], tarballs: readonly Tarball[]): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (name: string): void => {
    const tarball = tarballs.find(({ workspace }) => workspace.name === name);
    if (tarball === undefined || found.has(name)) return;
    found.add(name);
    Object.keys(tarball.workspace.dependencies).forEach(add);
  };
  names.forEach(add);
  return found;
}
