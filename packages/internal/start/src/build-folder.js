import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The path of the repository. */
const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
/** The folder of all builds, one for each state of the sources. */
const BUILDS = "node_modules/.cache/tillkit-start";
/** Workspaces of `packages` that are in no host. A build fails if this list is wrong. */
const NOT_READ = new Set([
  "internal",
  "client",
  "contract-tests",
  "fastify",
  "fetch",
  "memory",
  "opentelemetry",
  "server",
  "sms",
]);
/** What a build reads besides the packages: the programs that build the host. */
const ALSO_READ = [
  "packages/internal/start",
  "packages/internal/dashboard-page",
  "packages/internal/repository",
];
/** Settings, and the lists of installed packages. */
const FILES = ["tsconfig.json", "package-lock.json", "node_modules/.package-lock.json"];
/** Folders without sources of the host. */
const SKIPPED = new Set(["node_modules", "dist", "testing"]);

/**
 * Returns the path of the build of the present sources. The folder exists if these sources have
 * been built.
 *
 * Its name is a digest of the paths and the contents of all sources, of the version of Node, and of
 * the platform, because the stored compiled code is of one processor architecture.
 *
 * @param root - the path of the repository.
 * @returns the absolute path.
 */
export function buildFolder(root = ROOT) {
  const hash = createHash("sha256").update(`${process.version} ${process.platform} ${process.arch}`);
  for (const path of sources(root)) {
    const bytes = readFileSync(join(root, path));
    hash.update(`${path}\n${String(bytes.length)}\n`).update(bytes);
  }
  return join(root, BUILDS, hash.digest("hex").slice(0, 24));
}

/**
 * Returns the paths of all files that a build may read, without the installed packages.
 *
 * @param root - the path of the repository.
 * @returns paths from there, always in the same order.
 */
export function sources(root = ROOT) {
  const packages = readdirSync(join(root, "packages")).filter((name) => !NOT_READ.has(name));
  const folders = [...packages.sort().map((name) => `packages/${name}`), ...ALSO_READ];
  const files = FILES.filter((path) => existsSync(join(root, path)));
  return [...folders.flatMap((folder) => filesOf(root, folder)), ...files];
}

/** Returns the sources in `folder`, without tests. */
function filesOf(root, folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return /\.test\.tsx?$/.test(path) ? [] : [path];
    return SKIPPED.has(entry.name) || entry.name.startsWith(".") ? [] : filesOf(root, path);
  });
}
