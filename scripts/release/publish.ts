import { z } from "zod";
import { runOrThrow, type Workspace } from "@tillkit/repository";
import type { PackedPackage } from "../lib/pack.js";
import type { NpmRegistry } from "./npm-registry.js";

const report = z.record(z.string(), z.object({ files: z.array(z.object({ path: z.string() })) }));
const document = z.object({ versions: z.record(z.string(), z.unknown()).default({}) });

/**
 * Publishes the packages whose version the registry does not have. Safe to repeat after a failure.
 *
 * @param folder - the folder that `copyPackages` filled.
 * @param options - more options of `npm publish`.
 * @returns what was published now.
 */
export async function publish(
  packages: readonly Workspace[],
  folder: string,
  registry: NpmRegistry,
  options: readonly string[] = [],
): Promise<readonly PackedPackage[]> {
  const has = await Promise.all(packages.map((one) => isPublished(one, registry.url)));
  const missing = packages.filter((_one, index) => has[index] === false);
  if (missing.length === 0) return [];
  const chosen = missing.flatMap(({ name }) => ["--workspace", name]);
  const args = ["publish", "--json", ...options, ...chosen];
  const published = report.parse(JSON.parse(await runOrThrow("npm", args, folder, registry.env)));
  return missing.map((workspace) => {
    const files = published[workspace.name]?.files;
    if (files === undefined) throw new Error(`npm publish did not publish ${workspace.name}`);
    return { workspace, files: files.map(({ path }) => path) };
  });
}

async function isPublished({ name, version }: Workspace, registry: string): Promise<boolean> {
  const response = await fetch(registry + name.replace("/", "%2f"));
  if (response.status === 404) return false;
  if (!response.ok) throw new Error(`${registry} answers ${response.status} for ${name}`);
  return version in document.parse(await response.json()).versions;
}
