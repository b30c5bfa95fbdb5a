import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  build,
  type BuildOptions,
  type ImportKind,
  type OnResolveArgs,
  type OnResolveResult,
  type Plugin,
} from "esbuild";

/** Keeps the npm packages that `apart` selects as imports, and bundles everything else. */
const installedApart = (apart: (found: ImportedPackage) => boolean): Plugin => ({
  name: "installed-apart",
  setup: (bundle) => {
    const resolveImport = async ({ path, kind, resolveDir }: OnResolveArgs): Promise<OnResolveResult> => {
      const found = await bundle.resolve(path, { kind, resolveDir, pluginData: FOUND });
      // A package may require another one that is optional and not installed.
      if (found.errors.length > 0) return { path, external: true };
      if (found.external || !found.path.includes("/node_modules/")) return found;
      return apart({ path: found.path, kind })
        ? { path: pathToFileURL(found.path).href, external: true }
        : found;
    };
    // Cached per folder, because resolving every import again would take half of a build.
    const known = new Map<string, Promise<OnResolveResult>>();
    bundle.onResolve({ filter: /^[^./]/ }, (asked) => {
      const { path, kind, resolveDir } = asked;
      if (kind === "entry-point" || asked.pluginData === FOUND) return undefined;
      const key = JSON.stringify([path, kind, resolveDir]);
      const result = known.get(key) ?? resolveImport(asked);
      known.set(key, result);
      return result;
    });
  },
});
interface ImportedPackage {
  readonly path: string;
  readonly kind: ImportKind;
}
const FOUND = "found";

/**
 * Replaces `import.meta.url` with the address of the source file. Bundling would change this
 * address.
 */
const inItsPlace: Plugin = {
  name: "in-its-place",
  setup: (bundle) => {
    bundle.onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replaceAll(
        /import\.meta\.url/g,
        JSON.stringify(pathToFileURL(path).href),
      ),
      loader: "ts",
    }));
  },
};

/**
 * Disables WebAssembly optimization, which takes a third of the time to open PGlite.
 *
 * A program that runs for seconds does not regain that time.
 */
const UNOPTIMISED = 'import { setFlagsFromString as setV8Flag } from "node:v8"; setV8Flag("--liftoff-only");';

const COMMON = {
  bundle: true,
  conditions: ["@tillkit/source"],
  format: "esm",
  platform: "node",
  target: "node20",
} satisfies BuildOptions;

const PUBLISHED = {
  ...COMMON,
  plugins: [installedApart(() => true), inItsPlace],
} satisfies BuildOptions;

/** Packages that read files beside their modules, or that may exist only once in a process. */
const NOT_BUNDLED = /\/node_modules\/(?:@electric-sql\/pglite|vite|vitest|@vitest\/[^/]+)\//;

/**
 * The options for tests: the bundle starts quickly and keeps the names of functions.
 *
 * Includes the installed packages, because finding and reading their hundreds of files takes most
 * of a start. Packages that a program may never load stay apart.
 */
const OPTIONS = {
  ...COMMON,
  plugins: [
    installedApart(({ path, kind }) => kind === "dynamic-import" || NOT_BUNDLED.test(path)),
    inItsPlace,
  ],
  banner: {
    js: [
      UNOPTIMISED,
      'import { createRequire as createRequireOfBundle } from "node:module";',
      // CommonJS packages require modules of Node. The address is in two parts: this file may be
      // bundled too, and `inItsPlace` would replace it.
      ["const require = createRequireOfBundle(import.meta", "url);"].join("."),
    ].join("\n"),
  },
  keepNames: true,
} satisfies BuildOptions;

/**
 * Bundles the program at `source` with its imports from this repository. Returns the file's path.
 *
 * The file behaves like the sources and starts several times faster. Reuses the file of an earlier
 * call with the same result. Rejects if esbuild cannot read the sources.
 */
export function builtProgram(source: URL): Promise<string> {
  return builtWith(OPTIONS, source);
}

/**
 * Like {@link builtProgram}, for measurements: the program runs as fast as the published packages.
 *
 * Keeping the name of a function costs time whenever the function is created. Some functions are
 * created for each request.
 */
export function publishedProgram(source: URL): Promise<string> {
  return builtWith(PUBLISHED, source);
}

async function builtWith(options: BuildOptions, source: URL): Promise<string> {
  const path = fileURLToPath(source);
  const { outputFiles } = await build({ ...options, entryPoints: [path], write: false });
  const text = outputFiles.map((file) => file.text).join("");
  const name = createHash("sha256").update(text).digest("hex").slice(0, 16);
  const folder = join(workspaceOf(path), "node_modules", ".programs");
  const file = join(folder, `${basename(path, ".ts")}.${name}.mjs`);
  if (existsSync(file)) return file;
  await mkdir(folder, { recursive: true });
  // Concurrent calls may create the same file. The rename makes the complete file appear at once.
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, text);
  await rename(draft, file);
  return file;
}

/**
 * Builds `NAME.js` in `folder` from each program `NAME.ts`, with shared files for common imports.
 *
 * Cheaper than one build per program. The caller removes `folder`.
 */
export async function buildPrograms(paths: readonly string[], folder: string): Promise<void> {
  await build({ ...OPTIONS, entryPoints: [...paths], outdir: folder, splitting: true });
}

function workspaceOf(path: string): string {
  const folder = dirname(path);
  return existsSync(join(folder, "package.json")) ? folder : workspaceOf(folder);
}
