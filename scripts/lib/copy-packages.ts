import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { z } from "zod";
import { readJsonFile, root, type Workspace, workspaceAt, workspacesIn } from "@tillkit/repository";

const target = z.union([z.string(), z.record(z.string(), z.string())]);
/** What {@link publishedManifest} changes in a `package.json`. The rest stays as it is. */
const manifest = z.looseObject({ exports: z.record(z.string(), target).optional() });

/**
 * Copies the packages into `folder` with their published `package.json` and what was built.
 *
 * Changes nothing in the repository.
 *
 * @returns the published packages in the copy.
 */
export async function copyPackages(folder: string): Promise<readonly Workspace[]> {
  const workspaces = (["packages", "packages/internal", "examples"] as const).flatMap(workspacesIn);
  for (const name of ["package.json", ".changeset", "LICENSE"])
    await cp(root + name, `${folder}/${name}`, { recursive: true });
  await symlink(`${root}node_modules`, `${folder}/node_modules`, "dir");
  const published: string[] = [];
  for (const one of workspaces) {
    const path = `${folder}/${one.path.slice(root.length)}`;
    if (one.private) {
      // `changeset version` in the copy reads the `package.json` of each workspace.
      await mkdir(path, { recursive: true });
      await cp(`${one.path}/package.json`, `${path}/package.json`);
    } else {
      await cp(one.path, path, { recursive: true, filter: (file) => basename(file) !== "node_modules" });
      const changed = publishedManifest(readJsonFile(`${path}/package.json`));
      await writeFile(`${path}/package.json`, `${JSON.stringify(changed, undefined, 2)}\n`);
      published.push(path);
    }
  }
  return published.map(workspaceAt);
}

/** Returns a `package.json` without the condition that leads to `src`, which is not published. */
export function publishedManifest(source: unknown): unknown {
  const parsed = manifest.parse(source);
  if (parsed.exports === undefined) return parsed;
  const exports: Record<string, z.infer<typeof target>> = {};
  for (const [entry, file] of Object.entries(parsed.exports)) {
    if (typeof file === "string") exports[entry] = file;
    else {
      const { "@tillkit/source": _source, ...conditions } = file;
      exports[entry] = conditions;
    }
  }
  return { ...parsed, exports };
}
