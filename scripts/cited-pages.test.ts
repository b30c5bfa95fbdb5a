import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { publicFiles, publishablePackages, root } from "@tillkit/repository";

const DOC_COMMENT = /\/\*\*.*?\*\//gsu;
const ADDRESS = /https?:\/\/[^\s|})]+/gu;
/** A path in this repository. The reader of an npm package has no such file. */
const PATH = /(?:\.{1,2}\/)*\bdocs\/[\w./-]*|[\w./-]+\.md\b/gu;

describe("doc comments cite pages that the reader of a package can open", () => {
  it.each(publishablePackages())("$name", ({ path, repository }) => {
    expect(repository?.url).toBe(`git+${publicFiles.replace(/\/blob\/main\/$/u, "")}.git`);
    const sources = readdirSync(`${path}/src`, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
      .map((file) => `${path}/src/${file}`);
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.flatMap((file) => deadCitations(readFileSync(file, "utf8")))).toEqual([]);
  });

  it("and the check finds pages that do not exist, and paths that lead nowhere in a package", () => {
    const comment = (text: string): string => `/** ${text} */\nconst code = "docs/not-a-comment.md";\n`;
    expect(deadCitations(comment(`{@link ${publicFiles}docs/README.md | Docs} and {@link docs}.`))).toEqual(
      [],
    );
    expect(deadCitations(comment(`{@link ${publicFiles}docs/README.md#index | Docs}`))).toEqual([]);
    expect(deadCitations(comment(`{@link ${publicFiles}docs/gone.md | Gone}`))).toEqual([
      `${publicFiles}docs/gone.md`,
    ]);
    expect(deadCitations(comment("@see docs/README.md"))).toEqual(["docs/README.md"]);
    expect(deadCitations(comment("See ../README.md."))).toEqual(["../README.md"]);
  });
});

/** Returns what the doc comments of a source cite that a reader of its package cannot open. */
function deadCitations(source: string): readonly string[] {
  return [...source.matchAll(DOC_COMMENT)].flatMap(([comment]) => {
    const addresses = [...comment.matchAll(ADDRESS)].map(([address]) => address);
    const gone = addresses
      .filter((address) => address.startsWith(publicFiles))
      .filter((address) => !existsSync(`${root}${address.slice(publicFiles.length).replace(/#.*$/u, "")}`));
    return [...gone, ...[...comment.replace(ADDRESS, "").matchAll(PATH)].map(([path]) => path)];
  });
}
