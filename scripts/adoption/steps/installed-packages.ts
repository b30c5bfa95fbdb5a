import { lstat, readdir } from "node:fs/promises";
import { z } from "zod";
import { readJsonFile } from "@tillkit/repository";
import { install } from "../lib/install.js";
import type { AdoptionStep } from "../lib/step.js";

const lock = z.object({
  packages: z.record(z.string(), z.object({ optional: z.boolean().default(false) })),
});

/**
 * What a package may install at most: packages, itself included, and megabytes on the disk.
 *
 * Without what npm installs only on some platforms.
 */
const LIMITS = {
  "@tillkit/core": { packages: 6, megabytes: 53 },
  "@tillkit/host": { packages: 8, megabytes: 54 },
  "@tillkit/postgres": { packages: 7, megabytes: 56 },
  "@tillkit/client": { packages: 1, megabytes: 1 },
  tillkit: { packages: 41, megabytes: 89 },
} as const;

/** Installs each package alone. Fails if npm installs more for it than {@link LIMITS} allows. */
export const installedPackages: AdoptionStep = {
  name: "installed-packages",
  shows: "what npm installs for a package alone, in packages and megabytes, within limits",
  run: async ({ folder, tarballs }) => {
    const lines: string[] = [];
    const excesses: string[] = [];
    for (const [name, limit] of Object.entries(LIMITS)) {
      const place = `${folder}/${name.replace("@tillkit/", "")}`;
      await install(place, tarballs, [name]);
      const installed = lock.parse(readJsonFile(`${place}/node_modules/.package-lock.json`)).packages;
      const names = (optional: boolean) =>
        Object.entries(installed)
          .filter(([, one]) => one.optional === optional)
          .map(([path]) => path.slice("node_modules/".length));
      const required = names(false);
      const sizes = names(true).map((one) => diskUsage(`${place}/node_modules/${one}`));
      const optional = (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
      const bytes = (await diskUsage(`${place}/node_modules`)) - optional;
      const megabytes = Math.round(bytes / 1_048_576);
      const extra = names(true).map((one) => `, and ${one} where the platform has it`);
      const figures = `${required.length} packages, ${megabytes} MB`;
      lines.push(`${name} alone installs ${figures}: ${required.join(", ")}${extra.join("")}`);
      if (required.length > limit.packages || megabytes > limit.megabytes)
        excesses.push(`${name}: ${figures}; at most ${limit.packages} packages, ${limit.megabytes} MB`);
    }
    if (excesses.length > 0) throw new Error([...excesses, ...lines].join("\n"));
    return lines.join("\n");
  },
};

/** Returns the bytes that a folder takes on the disk, as `du` counts them. */
async function diskUsage(path: string): Promise<number> {
  const { blocks } = await lstat(path);
  const below = await readdir(path, { withFileTypes: true });
  const sizes = below.map(async (entry) => {
    const file = `${path}/${entry.name}`;
    return entry.isDirectory() ? diskUsage(file) : (await lstat(file)).blocks * 512;
  });
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, blocks * 512);
}
