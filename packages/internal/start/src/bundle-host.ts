import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { root } from "@tillkit/repository";
import { build, type Plugin } from "esbuild";
import { sources } from "./build-folder.js";

const ENTRY = `${root}packages/internal/start/src/dev-program.ts`;

/** The program is a function with the parameters of a CommonJS module. */
const HEAD = `(function (exports, require, module, __filename) {
const fileAddress = require("node:url").pathToFileURL(__filename).href;`;

/**
 * Bundles PGlite with the path of its own folder, from which it loads files.
 *
 * Also replaces PGlite's dynamic imports, which stored code cannot run. esbuild replaces dynamic
 * imports itself, except in PGlite, which has variables with the name `require`.
 */
const pgliteWithItsPath: Plugin = {
  name: "pglite-with-its-path",
  setup: (bundle) => {
    bundle.onResolve({ filter: /^@electric-sql\/pglite$/ }, ({ path, importer }) => ({
      path: createRequire(importer).resolve(path),
    }));
    bundle.onLoad({ filter: /@electric-sql\/pglite\/dist\/.*\.cjs$/ }, async ({ path }) => ({
      contents: `var __filename = ${JSON.stringify(path)}, loaded = async (name) => require(name);
        ${(await readFile(path, "utf8")).replaceAll(/\bimport\((?="[a-z:/]+"\))/g, "loaded(")}`,
      loader: "js",
    }));
  },
};

/** Fails if a source of the bundle is not in the digest that names the build. */
const digestIsComplete: Plugin = {
  name: "digest-is-complete",
  setup: (bundle) => {
    const known = new Set(sources());
    bundle.onEnd(({ metafile }) => {
      const unknown = Object.keys(metafile?.inputs ?? {}).filter(
        (path) => !path.includes("node_modules/") && !known.has(path),
      );
      if (unknown.length === 0) return undefined;
      return { errors: [{ text: `build-folder.js must also list ${unknown.join(", ")}` }] };
    });
  },
};

/**
 * Bundles the development host and its libraries into one CommonJS file, whose compiled code can be
 * stored.
 *
 * `import.meta.url` is the address of that file. Therefore the files beside the host have the
 * layout of a package: `../node_modules/.page` is the operators' page.
 */
export async function bundleHost(file: string): Promise<void> {
  await build({
    entryPoints: [ENTRY],
    outfile: file,
    bundle: true,
    conditions: ["@tillkit/source"],
    format: "cjs",
    platform: "node",
    target: "node20",
    supported: { "dynamic-import": false },
    // The program is read at each start.
    minifyWhitespace: true,
    plugins: [pgliteWithItsPath, digestIsComplete],
    metafile: true,
    absWorkingDir: root,
    banner: { js: HEAD },
    footer: { js: "})" },
    define: { "import.meta.url": "fileAddress" },
    logLevel: "warning",
  });
}
