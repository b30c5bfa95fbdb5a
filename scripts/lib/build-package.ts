// Builds the package in the working directory. `scripts/build.ts` runs it in one process per
// package, because tsup reads `package.json` and `tsconfig.json` of its working directory.
import { build } from "tsup";
import { promisedFiles, workspacesIn } from "./packages.js";

const here = process.cwd();
const target = workspacesIn("packages").find(({ path }) => path === here);
if (target === undefined) throw new Error(`${here} is no package of this repository`);

const promised = promisedFiles(target);
await build({
  entry: entries(".js"),
  format: "esm",
  target: "node20",
  platform: "node",
  dts: {
    entry: entries(".d.ts"),
    // Without the private condition, other packages resolve to their published declarations, which
    // stay imports.
    compilerOptions: { composite: false, customConditions: [], rootDir: `${here}/src` },
  },
  clean: true,
  sourcemap: false,
  splitting: true,
  silent: true,
  // Deno and workers find Node's modules only by their names with `node:`.
  removeNodeProtocol: false,
  // Libraries stay imports, so that a host's package manager deduplicates, audits and overrides
  // them.
  skipNodeModulesBundle: true,
});

/**
 * Maps the promised files with this ending from output name to source.
 *
 * `./dist/http/index.js` comes from `src/http/index.ts`.
 */
function entries(ending: string): Record<string, string> {
  const outputs = promised
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice("./dist/".length, -ending.length));
  return Object.fromEntries(outputs.map((output) => [output, `src/${output}.ts`]));
}
