import { readdirSync, readFileSync } from "node:fs";
import { root } from "@tillkit/repository";

const NOT_IN_GIT = new Set([".git", ".temp", ".tillkit", "coverage", "dist", "node_modules"]);

/** Returns the files of the repository, relative to its root. Works without git. */
export function repositoryFiles(folder = ""): readonly string[] {
  return readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) => {
    const path = folder + entry.name;
    if (entry.isDirectory()) return NOT_IN_GIT.has(entry.name) ? [] : repositoryFiles(`${path}/`);
    return entry.isFile() ? [path] : [];
  });
}

/**
 * Returns a function that tells whether `.gitattributes` marks a file as generated.
 *
 * Knows paths and `folder/*`, not the other patterns of git.
 */
export function readGenerated(): (path: string) => boolean {
  const lines = readFileSync(`${root}.gitattributes`, "utf8").matchAll(/^(\S+) linguist-generated$/gmu);
  const patterns = new Set([...lines].map(([, pattern = ""]) => pattern));
  return (path) => patterns.has(path) || patterns.has(path.replace(/[^/]*$/u, "*"));
}
