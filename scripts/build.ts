// Builds every package into its `dist`: an ES module and declarations for each entry of `exports`
// and `bin`. A package is built after its dependencies, so that it sees their declarations as a
// consumer does. One process builds all of them, because loading and warming up the compiler takes
// longer than building most packages.
import { neighbours, promisedFiles, secondsSince, type Workspace, workspacesIn } from "@tillkit/repository";
import { buildPackage } from "./lib/build-package.js";

const began = performance.now();
const packages = workspacesIn("packages").filter((one) => promisedFiles(one).length > 0);
const built = await buildAll(packages);
console.log(`${built} of ${packages.length} packages built in ${secondsSince(began)} s`);
process.exitCode = built === packages.length ? 0 : 1;

/**
 * Builds the packages in the order of their dependencies. Stops at the first failure.
 *
 * @returns how many packages were built.
 */
async function buildAll(all: readonly Workspace[]): Promise<number> {
  const done = new Set<string>();
  while (done.size < all.length) {
    const next = all.find(
      (one) => !done.has(one.name) && neighbours(one, all).every((name) => done.has(name)),
    );
    if (next === undefined) {
      const waiting = all.map(({ name }) => name).filter((name) => !done.has(name));
      console.error(`These depend on each other: ${waiting.join(", ")}`);
      break;
    }
    const start = performance.now();
    try {
      await buildPackage(next);
    } catch (cause) {
      console.error(`  ${next.name} failed\n${cause instanceof Error ? cause.message : String(cause)}`);
      break;
    }
    done.add(next.name);
    console.log(`  ${next.name} in ${secondsSince(start)} s`);
  }
  return done.size;
}
