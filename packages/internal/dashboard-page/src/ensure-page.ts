import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { root } from "@tillkit/repository";
import { buildPage, PAGE_SOURCES } from "./build-page.js";

/** Builds of the page, one folder for each digest of its sources. */
const CACHE = `${root}node_modules/.cache/tillkit-dashboard-page`;
/** The other inputs of a build: the libraries, the modules of core in the page, and the builder. */
const INPUTS = [
  `${root}package-lock.json`,
  `${root}packages/core/src/text/path-segment.ts`,
  `${root}packages/core/src/text/escape-unseen-characters.ts`,
  new URL("build-page.ts", import.meta.url),
];

/**
 * Builds the page unless its sources have been built before.
 *
 * @returns the folder of the built page.
 */
export async function ensurePage(): Promise<string> {
  const folder = `${CACHE}/${digestOfSources()}`;
  if (existsSync(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  const building = await mkdtemp(`${CACHE}/building-`);
  await buildPage(building);
  // Another process may have built the same sources.
  if (existsSync(folder)) await rm(building, { recursive: true });
  else await rename(building, folder);
  return folder;
}

function digestOfSources(): string {
  const hash = createHash("sha256");
  const names = readdirSync(PAGE_SOURCES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .sort();
  for (const file of [...names, ...INPUTS]) hash.update(`${String(file)}\n`).update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}
