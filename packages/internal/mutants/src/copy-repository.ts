import { cp, mkdir, readdir, readlink, symlink } from "node:fs/promises";
import { basename } from "node:path";

/** Entries that the copy does not need: they are created again, or only the original uses them. */
const LEFT_OUT: ReadonlySet<string> = new Set(["node_modules", "dist", ".git", ".tillkit", "coverage"]);

/**
 * Copies the sources of the repository at `from` into the empty folder `to`.
 *
 * Links the copy's `node_modules` to the original's packages, but to the copy's own workspaces.
 * Changes in the copy do not affect the original.
 */
export async function copyRepository(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
  await mkdir(`${to}/node_modules`);
  for (const entry of await readdir(`${from}/node_modules`, { withFileTypes: true })) {
    const [source, target] = [`${from}/node_modules/${entry.name}`, `${to}/node_modules/${entry.name}`];
    if (entry.name === "@tillkit") await cp(source, target, { recursive: true, verbatimSymlinks: true });
    // A symbolic link in `node_modules` leads to a workspace, and it is relative.
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (entry.name !== ".cache") await symlink(source, target);
  }
  for (const parent of ["packages", "packages/internal", "examples"])
    await linkNested(`${from}/${parent}`, `${to}/${parent}`);
}

/** Links the dependencies that one workspace has in its own `node_modules`. */
async function linkNested(from: string, to: string): Promise<void> {
  for (const workspace of await readdir(from)) {
    const inside = await readdir(`${from}/${workspace}`);
    if (!inside.includes("node_modules")) continue;
    await symlink(`${from}/${workspace}/node_modules`, `${to}/${workspace}/node_modules`);
  }
}
