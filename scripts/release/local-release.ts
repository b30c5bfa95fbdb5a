import { mkdir } from "node:fs/promises";
import { publishablePackages, root, runOrThrow, withTemporaryFolder, workspaceAt } from "@tillkit/repository";
import { copyPackages } from "../lib/copy-packages.js";
import { ensureBuilt } from "../lib/ensure-built.js";
import type { PackedPackage } from "../lib/pack.js";
import { startLocalRegistry } from "./local-registry.js";
import { publish } from "./publish.js";
import { releaseProblems } from "./release-problems.js";

/**
 * Publishes the next release to a registry on this machine, and calls `use` with its packages and
 * an empty temporary folder.
 *
 * From then on, npm uses that registry in this process and in those that it starts. After `use` has
 * ended, the registry is closed, so npm can install nothing. Throws if a change log is missing or
 * versions differ.
 */
export async function withLocalRelease<T>(
  use: (packages: readonly PackedPackage[], folder: string) => Promise<T>,
): Promise<T> {
  await ensureBuilt(publishablePackages());
  return withTemporaryFolder(async (folder) => {
    const copy = `${folder}/release`;
    await mkdir(copy);
    const copied = await copyPackages(copy);
    // Writes the versions and the change logs of the next release.
    await runOrThrow(process.execPath, [`${root}node_modules/@changesets/cli/bin.js`, "version"], copy);
    const packages = copied.map(({ path }) => workspaceAt(path));
    const registry = await startLocalRegistry(new Set(packages.map(({ name }) => name)));
    try {
      // No build service signs these packages.
      const published = await publish(packages, copy, registry, ["--provenance=false"]);
      const problems = releaseProblems(published);
      if (problems.length > 0) throw new Error(problems.join("\n"));
      Object.assign(process.env, registry.env);
      return await use(published, folder);
    } finally {
      await registry.close();
    }
  });
}
