import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { buildPrograms } from "@tillkit/built-program";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Finished, root, run } from "@tillkit/repository";
import { docComments } from "./docs-snippets/doc-comments.js";
import { brokenLinks } from "./docs-snippets/links.js";
import { pages } from "./docs-snippets/pages.js";
import { inPool } from "./docs-snippets/pool.js";
import { fileNameOf, type Snippet, snippetsOf } from "./docs-snippets/snippets.js";
import { writeWorkspace } from "./docs-snippets/workspace.js";

const PASSED = { code: 0, failure: "" };

const documents = pages();
// The code of a Chinese page is that of its source: `npm run docs -- zh` compares them.
const sources = documents.filter(({ path }) => !path.startsWith("docs/zh/"));
const snippets = [...sources, ...docComments()].flatMap(snippetsOf);
const programs = snippets.filter(({ kind }) => kind === "run");
const tests = snippets.filter(({ kind }) => kind === "test");
const guides = documents.filter(({ path }) => path.startsWith("docs/guide/"));

describe("links", () => {
  it.each(documents)("of $path lead to files that exist", (page) => {
    expect(brokenLinks(page)).toEqual([]);
  });
});

describe("guides", () => {
  it.each(guides)("$path has a program that runs", ({ path }) => {
    expect(programs.map(({ page }) => page)).toContain(path);
  });
});

describe("code blocks", { tags: "slow" }, () => {
  let folder: string;
  let finished: ReadonlyMap<string, Promise<Finished>>;

  beforeAll(async () => {
    folder = await mkdtemp(`${tmpdir()}/tillkit-docs-`);
    await writeWorkspace(folder, snippets);
    await buildPrograms(
      [...programs, ...tests].map((one) => `${folder}/${fileNameOf(one)}`),
      folder,
    );
    const jobs: readonly (readonly [name: string, args: readonly string[]])[] = [
      ["tests", [`${root}node_modules/vitest/vitest.mjs`, "run", "--reporter=dot"]],
      ...programs.map((one) => [keyOf(one), [builtNameOf(one)]] as const),
    ];
    const results = inPool(
      2,
      jobs.map(
        ([, args]) =>
          () =>
            run(process.execPath, args, folder),
      ),
    );
    finished = new Map(
      jobs.map(([name], index) => [name, results[index] ?? Promise.reject(new Error(name))]),
    );
  });

  afterAll(async () => {
    await Promise.allSettled(finished.values());
    await rm(folder, { recursive: true, force: true });
  });

  const outcome = async (name: string) => {
    const { code, output } = (await finished.get(name)) ?? { code: -1, output: `${name} was not started` };
    return { code, failure: code === 0 ? "" : output };
  };

  it("marked `ts test` pass", async () => expect(await outcome("tests")).toEqual(PASSED));

  it.each(programs)("$page:$line runs", async (program) =>
    expect(await outcome(keyOf(program))).toEqual(PASSED),
  );
});

/** Returns the file name of a built program, which is in the folder of its source. */
function builtNameOf(program: Snippet): string {
  return fileNameOf(program).replace(/\.ts$/, ".js");
}

function keyOf({ page, line }: Snippet): string {
  return `${page}:${line}`;
}
