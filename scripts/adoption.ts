// Adopts the packages as outsiders would: installs their tarballs into empty folders, and builds
// and runs programs there.
import { mkdir, rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { createDatabase, startPostgres } from "@tillkit/local-postgres";
import { secondsSince } from "@tillkit/repository";
import type { AdoptionStep, Workplace } from "./adoption/lib/step.js";
import { ADOPTION_STEPS } from "./adoption/steps.js";
import { withLocalRelease } from "./release/local-release.js";

const USAGE = `usage: npm run adoption [--only <step> …]

Publishes the next release to a registry on this machine, installs the packages into empty folders,
and runs a program in each. Installs other packages from the npm registry. Runs one step per processor.

${ADOPTION_STEPS.map(({ name, shows }) => `  ${name.padEnd(20)} ${shows}`).join("\n")}
`;

const { values } = parseArgs({
  options: { help: { type: "boolean" }, only: { type: "string", multiple: true } },
});
const only = values.only ?? [];
const unknown = only.filter((name) => !ADOPTION_STEPS.some((step) => step.name === name));
if (values.help === true) console.log(USAGE);
else if (unknown.length > 0) {
  console.error(`There is no step ${unknown.join(", ")}.\n\n${USAGE}`);
  process.exitCode = 2;
} else {
  const chosen = ADOPTION_STEPS.filter(({ name }) => only.length === 0 || only.includes(name));
  process.exitCode = (await adopt(chosen)) ? 0 : 1;
}

/** Runs the steps, one per processor. Returns whether all of them passed. */
async function adopt(steps: readonly AdoptionStep[]): Promise<boolean> {
  const began = performance.now();
  let server: ReturnType<typeof startPostgres> | undefined;
  try {
    return await withLocalRelease(async (tarballs, folder) => {
      console.log(`released ${tarballs.length} packages on this machine (${secondsSince(began)} s)`);
      const waiting = [...steps];
      let passed = 0;
      const workplace = {
        tarballs,
        createDatabase: async () => createDatabase((await (server ??= startPostgres())).url),
      };
      const work = async () => {
        for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
          const place = `${folder}/${step.name}`;
          await mkdir(place);
          if (await passes(step, { ...workplace, folder: place })) passed += 1;
        }
      };
      await Promise.all(Array.from({ length: availableParallelism() }, work));
      console.log(`${passed} of ${steps.length} steps passed in ${secondsSince(began)} s`);
      return passed === steps.length;
    });
  } finally {
    await (await server)?.stop();
  }
}

async function passes(step: AdoptionStep, workplace: Workplace): Promise<boolean> {
  const start = performance.now();
  console.log(`begin  ${step.name}: ${step.shows}`);
  try {
    const found = await step.run(workplace);
    console.log(`ok     ${step.name} (${secondsSince(start)} s)\n${found.replace(/^/gmu, "         ")}`);
    return true;
  } catch (error) {
    console.error(`FAILED ${step.name} (${secondsSince(start)} s)`, error);
    return false;
  } finally {
    // A folder takes up to 800 MB, and the next steps also need disk space.
    await rm(workplace.folder, { recursive: true, force: true });
  }
}
