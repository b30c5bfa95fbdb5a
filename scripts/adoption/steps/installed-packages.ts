import { z } from "zod";
import { readJsonFile } from "@tillkit/repository";
import { install } from "../lib/install.js";
import type { AdoptionStep } from "../lib/step.js";

const lock = z.object({
  packages: z.record(z.string(), z.object({ optional: z.boolean().default(false) })),
});

/** Installs a package alone and lists which packages npm installs for it. */
export const installedPackages: AdoptionStep = {
  name: "installed-packages",
  shows: "what npm installs for @tillkit/core and for @tillkit/postgres",
  run: async ({ folder, tarballs }) => {
    const lines: string[] = [];
    for (const name of ["@tillkit/core", "@tillkit/postgres"]) {
      const place = `${folder}/${name.slice("@tillkit/".length)}`;
      await install(place, tarballs, [name]);
      const installed = lock.parse(readJsonFile(`${place}/node_modules/.package-lock.json`)).packages;
      const names = (optional: boolean) =>
        Object.entries(installed)
          .filter(([, one]) => one.optional === optional)
          .map(([path]) => path.slice("node_modules/".length));
      const required = names(false);
      const extra = names(true).map((one) => `, and ${one} where the platform has it`);
      lines.push(
        `${name} alone installs ${required.length} packages: ${required.join(", ")}${extra.join("")}`,
      );
    }
    return lines.join("\n");
  },
};
