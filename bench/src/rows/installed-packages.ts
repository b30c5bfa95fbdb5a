import { readFile } from "node:fs/promises";
import { z } from "zod";

const lock = z.object({
  packages: z.record(z.string(), z.object({ dependencies: z.record(z.string(), z.string()).default({}) })),
});

/**
 * Returns the packages that installing `@tillkit/core` brings, including itself.
 *
 * Reads the lock file of the repository and leaves optional packages out.
 */
export async function packagesOfCore(): Promise<readonly string[]> {
  const text = await readFile(new URL("../../../package-lock.json", import.meta.url), "utf8");
  const { packages } = lock.parse(JSON.parse(text));
  const found = new Set<string>();
  const visit = (place: string): void => {
    if (found.has(place)) return;
    found.add(place);
    for (const name of Object.keys(packages[place]?.dependencies ?? {})) visit(placeOf(name, place));
  };
  // Resolves a package as Node does: in the folder of the importer first, then in its parents.
  const placeOf = (name: string, from: string): string => {
    const folder = from === "" ? "" : `${from}/`;
    const here = `${folder}node_modules/${name}`;
    if (packages[here] !== undefined) return here;
    if (from === "") throw new Error(`${name} is not in the lock file: run \`npm ci\` first.`);
    return placeOf(name, from.slice(0, Math.max(0, from.lastIndexOf("/"))));
  };
  visit("packages/core");
  return [...found];
}
