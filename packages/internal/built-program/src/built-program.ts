import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type BuildOptions, type Plugin } from "esbuild";

/** What npm installed stays where whoever imports it finds it; packages of this repository are sources, and become part of the program. */
const installedApart: Plugin = {
  name: "installed-apart",
  setup: (bundle) => {
    bundle.onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (kind === "entry-point" || pluginData === FOUND) return undefined;
      const found = await bundle.resolve(path, { kind, resolveDir, pluginData: FOUND });
      if (found.external || !found.path.includes("/node_modules/")) return found;
      return { path: pathToFileURL(found.path).href, external: true };
    });
  },
};
const FOUND = "found";

/** A source that asks for its own place hears of the place it was written in. */
const inItsPlace: Plugin = {
  name: "in-its-place",
  setup: (bundle) => {
    bundle.onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replaceAll(
        "import.meta.url",
        JSON.stringify(pathToFileURL(path).href),
      ),
      loader: "ts",
    }));
  },
};

/** Optimising the WebAssembly of PGlite costs more than a program gains by it that lives for seconds: a third of what opening a database takes. */
const UNOPTIMISED = 'import { setFlagsFromString as setV8Flag } from "node:v8"; setV8Flag("--liftoff-only");';

const OPTIONS = {
  banner: { js: UNOPTIMISED },
  plugins: [installedApart, inItsPlace],
  bundle: true,
  conditions: ["@tillkit/source"],
  format: "esm",
  keepNames: true,
  platform: "node",
  target: "node20",
} satisfies BuildOptions;

/**
 * Makes one file of JavaScript of the program in TypeScript at `source` and of the sources it imports from this repository, and gives that file's path. It
 * does what the sources do, and starts several times faster. Rejects when the sources cannot be read as TypeScript.
 */
export async function builtProgram(source: URL): Promise<string> {
  const path = fileURLToPath(source);
  const { outputFiles } = await build({ ...OPTIONS, entryPoints: [path], write: false });
  const text = outputFiles.map((file) => file.text).join("");
  const name = createHash("sha256").update(text).digest("hex").slice(0, 16);
  const folder = join(workspaceOf(path), "node_modules", ".programs");
  const file = join(folder, `${basename(path, ".ts")}.${name}.mjs`);
  if (existsSync(file)) return file;
  await mkdir(folder, { recursive: true });
  // Another test, or this one beside itself, may be making the same file: it is there whole or not at all.
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, text);
  await rename(draft, file);
  return file;
}

/** Makes `NAME.js` in `folder` of each program `NAME.ts`, and files of what several of them import. Cheaper than one by one, and for the caller to remove. */
export async function buildPrograms(paths: readonly string[], folder: string): Promise<void> {
  await build({ ...OPTIONS, entryPoints: [...paths], outdir: folder, splitting: true });
}

function workspaceOf(path: string): string {
  const folder = dirname(path);
  return existsSync(join(folder, "package.json")) ? folder : workspaceOf(folder);
}
