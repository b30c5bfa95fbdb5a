import { cp } from "node:fs/promises";
import { z } from "zod";
import { readJsonFile, root, runOrThrow } from "@tillkit/repository";
import { asInstalled, install } from "../lib/install.js";
import type { AdoptionStep } from "../lib/step.js";

const dependencyNames = z.record(z.string(), z.string()).default({});
const manifest = z.object({ dependencies: dependencyNames, devDependencies: dependencyNames });

/** Copies `examples/production` out of the repository, checks its types, and runs it. */
export const productionExample: AdoptionStep = {
  name: "production-example",
  shows: "examples/production copied out, type-checked and rehearsed on PostgreSQL",
  run: async ({ folder, tarballs, createDatabase }) => {
    const example = `${root}examples/production`;
    await cp(example, folder, { recursive: true, filter: (path) => !path.includes("/node_modules") });
    const { dependencies, devDependencies } = manifest.parse(readJsonFile(`${example}/package.json`));
    const names = Object.keys({ ...dependencies, ...devDependencies });
    const published = new Set(tarballs.map(({ workspace }) => workspace.name));
    const own = names.filter((name) => published.has(name));
    await install(folder, tarballs, own, names.filter((name) => !published.has(name)).map(asInstalled));
    await runOrThrow("npm", ["run", "typecheck"], folder);
    await runOrThrow("npm", ["run", "rehearse"], folder, { REHEARSAL_DATABASE_URL: await createDatabase() });
    return "copied out, started, asked for its health and stopped";
  },
};
