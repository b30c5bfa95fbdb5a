// Builds every package into its `dist`: an ES module and declarations for each entry of `exports`
// and `bin`. A package is built after its dependencies, so that it sees their declarations as a
// consumer does.
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import {
  neighbours,
  promisedFiles,
  root,
  run,
  secondsSince,
  type Workspace,
  workspacesIn,
} from "@tillkit/repository";

const began = performance.now();
const packages = workspacesIn("packages").filter((one) => promisedFiles(one).length > 0);
const built = await buildAll(packages);
console.log(`${built} of ${packages.length} packages built in ${secondsSince(began)} s`);
process.exitCode = built === packages.length ? 0 : 1;

/**
 * Builds one package per processor concurrently, and starts none after a failure.
 *
 * @returns how many packages were built.
 */
async function buildAll(all: readonly Workspace[]): Promise<number> {
  const waiting = new Set(all);
  const running = new Map<string, Promise<{ readonly name: string; readonly ok: boolean }>>();
  const done = new Set<string>();
  let failed = false;
  do {
    const ready = [...waiting].filter((one) => neighbours(one, all).every((name) => done.has(name)));
    for (const one of failed ? [] : ready.slice(0, availableParallelism() - running.size)) {
      waiting.delete(one);
      running.set(
        one.name,
        buildOne(one).then((ok) => ({ name: one.name, ok })),
      );
    }
    if (running.size === 0) {
      if (!failed)
        console.error(`These depend on each other: ${[...waiting].map(({ name }) => name).join(", ")}`);
      break;
    }
    const { name, ok } = await Promise.race(running.values());
    running.delete(name);
    if (ok) done.add(name);
    else failed = true;
  } while (waiting.size > 0 || running.size > 0);
  return done.size;
}

async function buildOne(one: Workspace): Promise<boolean> {
  const start = performance.now();
  const script = `${root}scripts/lib/build-package.ts`;
  const { code, output } = await run(process.execPath, ["--import", "tsx", script], one.path);
  const missing = promisedFiles(one).filter((file) => !existsSync(`${one.path}/${file}`));
  if (code === 0 && missing.length === 0) {
    console.log(`  ${one.name} in ${secondsSince(start)} s`);
    return true;
  }
  console.error(
    `  ${one.name} failed\n${output}${missing.map((file) => `  ${file} was not made\n`).join("")}`,
  );
  return false;
}
