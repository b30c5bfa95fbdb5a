// Builds the package in the working directory; `scripts/build.ts` runs it once a package, each in a process of its own,
// because tsup reads `package.json` and `tsconfig.json` of the directory it runs in.
import { writeFile } from "node:fs/promises";
import { build } from "tsup";
import { type BuiltFrom, carriedBy, librariesIn, NOTICES, noticesOf } from "./carried-along.js";
import { promisedFiles, workspacesIn } from "./packages.js";

const here = process.cwd();
const target = workspacesIn("packages").find(({ path }) => path === here);
if (target === undefined) throw new Error(`${here} is no package of this repository`);

const promised = promisedFiles(target);
const carried = carriedBy(target.name);
let builtFrom: BuiltFrom = { outputs: {} };
await build({
  entry: entries(".js"),
  format: "esm",
  target: "node20",
  platform: "node",
  dts: {
    entry: entries(".d.ts"),
    // Without the private condition other packages are read as they are published: their declarations stay imports.
    compilerOptions: { composite: false, customConditions: [], rootDir: `${here}/src` },
  },
  clean: true,
  sourcemap: false,
  splitting: true,
  silent: true,
  noExternal: [...carried],
  esbuildPlugins: [
    {
      name: "built-from",
      setup(building) {
        building.onEnd(({ metafile }) => {
          if (metafile !== undefined) builtFrom = metafile;
        });
      },
    },
  ],
});

const libraries = librariesIn(builtFrom);
const found = [...libraries.keys()];
// Both ways: nothing comes along by mistake, and nothing is said to be there that is not.
if (found.join() !== carried.join())
  throw new Error(
    `dist holds code of ${found.join(", ") || "no library"}: say so in carried-along.ts, or do not import it`,
  );
if (found.length > 0) await writeFile(NOTICES, noticesOf(libraries));

/** `./dist/http/index.js` comes from `src/http/index.ts`: the promised files with this ending, as output name and source. */
function entries(ending: string): Record<string, string> {
  const outputs = promised
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice("./dist/".length, -ending.length));
  return Object.fromEntries(outputs.map((output) => [output, `src/${output}.ts`]));
}
