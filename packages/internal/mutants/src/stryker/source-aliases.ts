import { existsSync, readdirSync, readFileSync } from "node:fs";
import { z } from "zod";

const manifest = z.object({
  name: z.string(),
  exports: z.record(
    z.string(),
    z.union([z.string(), z.object({ "@tillkit/source": z.string().optional() })]),
  ),
});

/**
 * Maps each import of a package to its source in the repository at `root`.
 *
 * Node loads vitest's configuration without TypeScript support for other workspaces, so this file
 * does not use `@tillkit/repository`.
 * @param root - Path with a trailing slash.
 */
export function sourceAliases(root: string): readonly { find: RegExp; replacement: string }[] {
  return readdirSync(`${root}packages`)
    .map((folder) => `${root}packages/${folder}`)
    .filter((path) => existsSync(`${path}/package.json`))
    .flatMap((path) => {
      const { name, exports } = manifest.parse(JSON.parse(readFileSync(`${path}/package.json`, "utf8")));
      return Object.entries(exports).flatMap(([entry, target]) => {
        const source = typeof target === "string" ? undefined : target["@tillkit/source"];
        if (source === undefined) return [];
        return [{ find: new RegExp(`^${name}${entry.slice(1)}$`), replacement: `${path}/${source}` }];
      });
    });
}
