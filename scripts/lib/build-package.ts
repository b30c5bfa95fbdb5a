// Builds the package in the working directory. `scripts/build.ts` runs it in one process per
// package, because tsup reads `package.json` and `tsconfig.json` of its working directory.
import { existsSync } from "node:fs";
import { buildPage } from "@tillkit/dashboard-page";
import ts from "typescript";
import { build } from "tsup";
import { promisedFiles, workspacesIn } from "@tillkit/repository";

const here = process.cwd();
const target = workspacesIn("packages").find(({ path }) => path === here);
if (target === undefined) throw new Error(`${here} is not a package of this repository`);

const promised = promisedFiles(target);
await build({
  entry: Object.fromEntries(outputs(".js").map((output) => [output, `src/${output}.ts`])),
  format: "esm",
  target: "node20",
  platform: "node",
  clean: true,
  // The maps lead to the published `src`, so they do not repeat its text.
  sourcemap: true,
  esbuildOptions: (options) => {
    options.sourcesContent = false;
  },
  splitting: true,
  silent: true,
  // Deno and workers find Node's modules only by their names with `node:`.
  removeNodeProtocol: false,
  // Libraries stay imports, so that a host's package manager deduplicates, audits and overrides
  // them.
  skipNodeModulesBundle: true,
});
if (existsSync(`${here}/page/index.html`)) await buildPage(`${here}/dist/page`);
emitDeclarations(outputs(".d.ts").map((output) => `${here}/src/${output}.ts`));

/**
 * Returns the promised files with this ending, without folder and ending.
 *
 * `./dist/http/index.js` and its source `src/http/index.ts` are `http/index`.
 */
function outputs(ending: string): readonly string[] {
  return promised
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice("./dist/".length, -ending.length));
}

/**
 * Writes the declaration of each module that the entries reach, with a map to its source.
 *
 * Throws if the compiler reports an error.
 */
function emitDeclarations(entries: readonly string[]): void {
  const config = ts.getParsedCommandLineOfConfigFile(
    `${here}/tsconfig.json`,
    {
      composite: false,
      declarationMap: true,
      // Without the private condition, other packages resolve to their published declarations.
      customConditions: [],
      rootDir: `${here}/src`,
      outDir: `${here}/dist`,
    },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => throwAll([diagnostic]) },
  );
  if (config === undefined) throw new Error(`${here}/tsconfig.json cannot be read`);
  const ambient = config.fileNames.filter((file) => file.endsWith(".d.ts"));
  const program = ts.createProgram({ rootNames: [...entries, ...ambient], options: config.options });
  throwAll([...config.errors, ...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics]);
}

function throwAll(diagnostics: readonly ts.Diagnostic[]): void {
  if (diagnostics.length === 0) return;
  throw new Error(
    ts.formatDiagnostics(diagnostics, {
      getCanonicalFileName: (name) => name,
      getCurrentDirectory: () => here,
      getNewLine: () => "\n",
    }),
  );
}
