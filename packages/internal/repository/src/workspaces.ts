import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** The path of the repository, with a trailing slash. */
export const root = fileURLToPath(new URL("../../../..", import.meta.url));

/** The public address of the repository's files, with a trailing slash. Packages link to it. */
export const publicFiles = "https://github.com/tillkit/tillkit/blob/main/";

const names = z.record(z.string(), z.string()).default({});
const target = z.union([
  z.string(),
  z.object({ "@tillkit/source": z.string().optional(), types: z.string().optional(), default: z.string() }),
]);

const manifest = z.object({
  name: z.string(),
  version: z.string().default("0.0.0"),
  private: z.boolean().default(false),
  exports: z.record(z.string(), target).default({}),
  bin: names,
  repository: z.object({ url: z.string() }).optional(),
  files: z.array(z.string()).default([]),
  scripts: names,
  dependencies: names,
  peerDependencies: names,
});

/** One workspace of the repository. */
export interface Workspace extends z.infer<typeof manifest> {
  /** The absolute path of its folder, without a trailing slash. */
  readonly path: string;
}

/** Returns the workspaces in one of the repository's folders, ordered by folder name. */
export function workspacesIn(parent: "packages" | "packages/internal" | "examples"): readonly Workspace[] {
  return readdirSync(`${root}${parent}`)
    .sort()
    .map((folder) => `${root}${parent}/${folder}`)
    .filter((path) => existsSync(`${path}/package.json`))
    .map(workspaceAt);
}

/** Returns the workspace in a folder. `path` is absolute and has no trailing slash. */
export function workspaceAt(path: string): Workspace {
  return { ...manifest.parse(readJsonFile(`${path}/package.json`)), path };
}

/** Returns the packages that are published. */
export function publishablePackages(): readonly Workspace[] {
  return workspacesIn("packages").filter((one) => !one.private);
}

/**
 * Returns every built file that the package promises, relative to its folder (`./dist/index.js`).
 */
export function promisedFiles({ exports, bin }: Pick<Workspace, "exports" | "bin">): readonly string[] {
  const targets = Object.values(exports).flatMap((one) =>
    typeof one === "string" ? [one] : [...(one.types === undefined ? [] : [one.types]), one.default],
  );
  const commands = Object.values(bin).map((file) => (file.startsWith("./") ? file : `./${file}`));
  return [...targets, ...commands].filter((file) => file.startsWith("./dist/"));
}

/** Returns the names of the workspace's dependencies that are among `others`. */
export function neighbours(one: Workspace, others: readonly Workspace[]): readonly string[] {
  const dependencies = new Set(Object.keys({ ...one.dependencies, ...one.peerDependencies }));
  return others.map((other) => other.name).filter((name) => dependencies.has(name));
}

/** Reads and parses a JSON file. */
export function readJsonFile(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}
