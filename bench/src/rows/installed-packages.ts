import { readFile } from "node:fs/promises";
import { z } from "zod";

const lock = z.object({
  packages: z.record(z.string(), z.object({ dependencies: z.record(z.string(), z.string()).default({}) })),
});

/** The packages that installing `@tillkit/core` brings, itself included, as the repository's lock file has them; optional ones are left out. */
export async function packagesOfCore(): Promise<readonly string[]> {
  const text = await readFile(new URL("../../../package-lock.json", import.meta.url), "utf8");
  const { packages } = lock.parse(JSON.parse(text));
  const found = new Set<string>();
  const visit = (place: string): void => {
    if (found.has(place)) return;
    found.add(place);
    for (const name of Object.keys(packages[place]?.dependencies ?? {})) visit(placeOf(name, place));
  };
  // As Node looks a package up: beside the one that asks, then further out.
  const placeOf = (name: string, from: string): string => {
    const folder = from === "" ? "" : `${from}/`;
    const here = `${folder}node_modules/${name}`;
    if (packages[here] !== undefined) return here;
    if (from === "") throw new Error(`${name} is not in the lock file: \`npm ci\` first.`);
    return placeOf(name, from.slice(0, Math.max(0, from.lastIndexOf("/"))));
  };
  visit("packages/core");
  return [...found];
}
