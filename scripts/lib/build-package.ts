import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { Plugin } from "esbuild";
import { build } from "tsup";
import { promisedFiles, type Workspace } from "@tillkit/repository";
import { emitDeclarations } from "./emit-declarations.js";

/**
 * Builds a package into its `dist`: the modules, the declarations and the operators' page.
 *
 * Changes the working directory of this process, because tsup reads `package.json` and
 * `tsconfig.json` from it. Rejects if a compiler reports an error or a promised file is missing.
 */
export async function buildPackage(target: Workspace): Promise<void> {
  const promised = promisedFiles(target);
  process.chdir(target.path);
  await build({
    entry: Object.fromEntries(outputs(promised, ".js").map((output) => [output, `src/${output}.ts`])),
    format: "esm",
    target: "node20",
    platform: "node",
    clean: true,
    esbuildOptions: (options) => {
      // esbuild would keep the working directory in which it was loaded.
      options.absWorkingDir = target.path;
    },
    splitting: true,
    silent: true,
    // Deno and workers find Node's modules only by their names with `node:`.
    removeNodeProtocol: false,
    // Libraries stay imports, so that a host's package manager deduplicates, audits and overrides
    // them.
    skipNodeModulesBundle: true,
    esbuildPlugins: [
      replaced(/[\\/]src[\\/]tillkit-version\.ts$/, versionModule(target)),
      ...(existsSync(`${target.path}/page/index.html`) ? [await withPage()] : []),
    ],
  });
  const entries = outputs(promised, ".d.ts").map((output) => `${target.path}/src/${output}.ts`);
  emitDeclarations(target.path, entries);
  const missing = promised.filter((file) => !existsSync(`${target.path}/${file}`));
  if (missing.length > 0) throw new Error(`The build did not make ${missing.join(", ")}.`);
}

/**
 * Returns the module that states the version of a package, without reading its manifest.
 *
 * The source of this module uses `import.meta`. A compiler to CommonJS, such as that of Jest, keeps
 * `import.meta`, which CommonJS cannot load.
 */
function versionModule({ version }: Workspace): string {
  return `export const tillkitVersion = () => ${JSON.stringify(version)};`;
}

/** Replaces the module of the dashboard that reads the operators' page by one that contains it. */
async function withPage(): Promise<Plugin> {
  // Loading this module takes time, and one package needs it.
  const { ensurePage, pageModule } = await import("@tillkit/dashboard-page");
  return replaced(/[\\/]src[\\/]built-page\.ts$/, await pageModule(await ensurePage()));
}

/** Replaces the module at a path that matches `filter`. */
function replaced(filter: RegExp, contents: string): Plugin {
  return {
    name: "replaced-module",
    setup: (bundle) => {
      bundle.onLoad({ filter }, ({ path }) => ({ contents, resolveDir: dirname(path) }));
    },
  };
}

/**
 * Returns the promised files with this ending, without folder and ending.
 *
 * `./dist/http/index.js` and its source `src/http/index.ts` are `http/index`.
 */
function outputs(promised: readonly string[], ending: string): readonly string[] {
  return promised
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice("./dist/".length, -ending.length));
}
