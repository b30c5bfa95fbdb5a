import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { root, runOrThrow } from "@tillkit/repository";
import { asInstalled, install } from "../lib/install.js";
import type { AdoptionStep } from "../lib/step.js";

/** Packages whose declarations must not need Node's types. */
const WITHOUT_NODE = [
  "@tillkit/core",
  "@tillkit/fetch",
  "@tillkit/memory",
  "@tillkit/host",
  "@tillkit/client",
];

/**
 * Checks the declarations of packages in a folder without `@types/node`, and that every other
 * package declares that it needs them.
 */
export const withoutNodeTypes: AdoptionStep = {
  name: "without-node-types",
  shows: "which declarations need @types/node, and that their packages say so",
  run: async ({ folder, tarballs }) => {
    await cp(`${root}scripts/adoption/projects/without-node-types`, folder, { recursive: true });
    await install(folder, tarballs, WITHOUT_NODE, [asInstalled("typescript")]);
    assert.ok(!existsSync(`${folder}/node_modules/@types/node`), "@types/node was installed");
    const entries = tarballs
      .filter(({ workspace }) => WITHOUT_NODE.includes(workspace.name))
      .flatMap(({ workspace: { name, exports } }) =>
        Object.keys(exports)
          .filter((entry) => !entry.endsWith(".json"))
          .map((entry) => name + entry.slice(1)),
      );
    const imports = entries.map((entry, index) => `export * as entry${index} from "${entry}";\n`);
    await writeFile(`${folder}/every-entry.ts`, imports.join(""));
    await runOrThrow(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "."], folder);
    const silent: string[] = [];
    for (const { workspace } of tarballs) {
      const declares = Object.hasOwn(workspace.peerDependencies, "@types/node");
      if ((await needsNodeTypes(`${workspace.path}/dist`)) !== declares) silent.push(workspace.name);
    }
    assert.deepEqual(silent, [], "the peer dependency @types/node does not match the declarations");
    return `${WITHOUT_NODE.join(", ")} need no @types/node; the other packages declare what they need`;
  },
};

/** Whether a declaration in `folder` names something of `@types/node`. */
async function needsNodeTypes(folder: string): Promise<boolean> {
  const files = await readdir(folder, { recursive: true });
  const texts = await Promise.all(
    files.filter((file) => file.endsWith(".d.ts")).map((file) => readFile(`${folder}/${file}`, "utf8")),
  );
  return texts.some((text) => /from ['"]node:|\bNodeJS\.|\bBuffer\b|import\(['"]node:/u.test(text));
}
