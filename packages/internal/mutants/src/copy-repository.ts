import { cp, mkdir, readdir, readlink, symlink } from "node:fs/promises";
import { basename } from "node:path";

/** What is made anew or belongs to the original alone. */
const LEFT_OUT: ReadonlySet<string> = new Set(["node_modules", "dist", ".git", ".tillkit", "coverage"]);

/**
 * Copies the repository at `from` into the empty folder `to`: its sources, and a `node_modules` that leads to the original's, but to the copy's own
 * workspaces. What is changed in the copy changes nothing in the original.
 */
export async function copyRepository(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
  await mkdir(`${to}/node_modules`);
  for (const entry of await readdir(`${from}/node_modules`, { withFileTypes: true })) {
    const [source, target] = [`${from}/node_modules/${entry.name}`, `${to}/node_modules/${entry.name}`];
    if (entry.name === "@tillkit") await cp(source, target, { recursive: true, verbatimSymlinks: true });
    // A link in `node_modules` leads to a workspace, from wherever it stands.
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (entry.name !== ".cache") await symlink(source, target);
  }
  for (const parent of ["packages", "packages/internal", "examples"])
    await linkNested(`${from}/${parent}`, `${to}/${parent}`);
}

/** Versions that one workspace has for itself. */
async function linkNested(from: string, to: string): Promise<void> {
  for (const workspace of await readdir(from)) {
    const inside = await readdir(`${from}/${workspace}`);
    if (!inside.includes("node_modules")) continue;
    await symlink(`${from}/${workspace}/node_modules`, `${to}/${workspace}/node_modules`);
  }
}
