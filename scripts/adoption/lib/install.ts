import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { z } from "zod";
import { readJsonFile, root, runOrThrow } from "@tillkit/repository";
import type { PackedPackage } from "../../lib/pack.js";

/**
 * Installs packages with npm, as a reader does.
 *
 * @param own - names of packages of this repository.
 * @param others - packages with versions, as `npm install` expects them.
 * @param env - added to the environment of npm.
 */
export async function install(
  folder: string,
  tarballs: readonly PackedPackage[],
  own: readonly string[],
  others: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  await mkdir(folder, { recursive: true });
  if (!existsSync(`${folder}/package.json`))
    await writeFile(`${folder}/package.json`, JSON.stringify({ private: true, type: "module" }));
  const released = tarballs
    .filter(({ workspace }) => own.includes(workspace.name))
    .map(({ workspace: { name, version } }) => `${name}@${version}`);
  await runOrThrow("npm", ["install", ...NPM_OPTIONS, ...released, ...others], folder, env);
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
