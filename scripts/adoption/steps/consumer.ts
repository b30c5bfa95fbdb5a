import { cp, writeFile } from "node:fs/promises";
import { root, runOrThrow } from "@tillkit/repository";
import type { PackedPackage } from "../../lib/pack.js";
import { asInstalled, install } from "../lib/install.js";
import type { AdoptionStep } from "../lib/step.js";

const PROGRAMS = ["embed-core", "serve-http", "own-zod", "errors-alone"];
/** What a consumer brings itself: the compiler, types and the peer dependencies. */
const TOOLS = ["typescript", "@types/node", "@types/express", "express", "fastify", "vitest", "zod"];

/** Uses every package: its exports resolve, type-check without `skipLibCheck`, and run. */
export const consumer: AdoptionStep = {
  name: "consumer",
  shows: "every entry of every package type-checks and runs",
  run: async ({ folder, tarballs }) => {
    await cp(`${root}scripts/adoption/projects/consumer`, folder, { recursive: true });
    await writeFile(`${folder}/every-entry.ts`, importEveryEntry(tarballs));
    const own = tarballs.map(({ workspace }) => workspace.name);
    await install(folder, tarballs, own, TOOLS.map(asInstalled));
    await runOrThrow(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "."], folder);
    const outputs: string[] = [];
    for (const program of PROGRAMS) {
      outputs.push((await runOrThrow(process.execPath, [`out/${program}.js`], folder)).trim());
    }
    return outputs.join("\n");
  },
};

/**
 * Creates a module that imports every entry of every package, so that all declarations are checked.
 */
function importEveryEntry(tarballs: readonly PackedPackage[]): string {
  const entries = tarballs.flatMap(({ workspace: { name, exports } }) =>
    Object.keys(exports).map((entry) => name + entry.slice(1)),
  );
  const attributes = (entry: string) => (entry.endsWith(".json") ? ' with { type: "json" }' : "");
  const imports = entries.map(
    (entry, index) => `import * as entry${index} from "${entry}"${attributes(entry)};`,
  );
  return `${imports.join("\n")}\nconsole.log([${entries.map((_, index) => `entry${index}`).join(", ")}].length);\n`;
}
