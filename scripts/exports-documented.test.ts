import { writeFile } from "node:fs/promises";
import { relative } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { publishablePackages, root, withTemporaryFolder } from "@tillkit/repository";
import { exportsOf, OPTIONS, publishedEntries, publishedProgram } from "./lib/published-exports.js";

describe("every exported name has a doc comment", () => {
  it("in each published package", () => {
    const packagesOfEntries = publishedEntries
      .filter(({ subpath }) => subpath === ".")
      .map(({ name }) => name);
    expect(packagesOfEntries).toEqual(publishablePackages().map(({ name }) => name));
  });

  it.each(publishedEntries)("of $entry", ({ file }) => {
    expect(undocumented(publishedProgram(), file)).toEqual([]);
  });

  it("is not said of a name without one", async () => {
    await withTemporaryFolder(async (folder) => {
      await writeFile(`${folder}/package.json`, `{ "type": "module" }`);
      await writeFile(
        `${folder}/index.ts`,
        `export { bare, type Bare, told as renamed } from "./names.js";\n`,
      );
      await writeFile(
        `${folder}/names.ts`,
        "// Not a doc comment.\nexport const bare = 1;\nexport type Bare = 1;\n/** Says what it is. */\nexport const told = 2;\n",
      );
      const options = { ...OPTIONS, types: [], noLib: true };
      const small = ts.createProgram({ rootNames: [`${folder}/index.ts`], options });
      expect(undocumented(small, `${folder}/index.ts`).map((found) => found.split(" ")[0])).toEqual([
        "bare",
        "Bare",
      ]);
    });
  });
});

/** Returns the exported names of the module without a doc comment, each with its place. */
function undocumented(inProgram: ts.Program, file: string): readonly string[] {
  const checker = inProgram.getTypeChecker();
  return exportsOf(inProgram, file)
    .filter(({ symbol }) => symbol.getDocumentationComment(checker).length === 0)
    .map(({ name, symbol }) => `${name} (${placeOf(symbol)})`);
}

function placeOf(symbol: ts.Symbol): string {
  const node = symbol.declarations?.[0];
  if (node === undefined) return "declared nowhere";
  const file = node.getSourceFile();
  return `${relative(root, file.fileName)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}
