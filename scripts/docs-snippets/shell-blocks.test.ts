import { describe, expect, it } from "vitest";
import { PASTED_PAGES } from "../adoption/lib/guide-page.js";
import { pages } from "./pages.js";
import { shellBlocksOf } from "./shell-blocks.js";

const pageWith = (block: string) => ({ path: "a.md", text: `# A\n\n1. Step\n\n${block}\n` });

it("shellBlocksOf reads the marks of shell blocks, also in lists", () => {
  const text = pageWith("```sh run\na\n```\n\n   ```sh data\n   b\n   ```\n\n```json\n{}\n```");
  expect(shellBlocksOf(text)).toEqual([
    { line: 5, mark: "run", code: "a\n" },
    { line: 9, mark: "data", code: "   b\n" },
  ]);
});

it("shellBlocksOf needs no mark for blocks that only install packages", () => {
  const text = pageWith("```sh\nnpm install a \\\n  b  # c\nnpm install --save-dev d\n```");
  expect(shellBlocksOf(text)).toMatchObject([{ mark: "install" }]);
});

it.each([
  ["no mark", "```sh\nnpm install a\nnpx a\n```"],
  ["an unknown mark", "```sh runs\nnpx a\n```"],
  ["two marks", "```sh run data\nnpx a\n```"],
  ["another name of the shell", "```bash run\nnpx a\n```"],
  ["no mark, in a list", "   ```sh\n   npx a\n   ```"],
])("shellBlocksOf refuses a block with %s", (_, block) => {
  expect(() => shellBlocksOf(pageWith(block))).toThrow("a.md:5: ");
});

describe("every shell block is run, or says why not", () => {
  it.each(pages())("$path", (page) => {
    expect(() => shellBlocksOf(page)).not.toThrow();
  });
});

it("shell blocks to run are only on pages that the step `guides` pastes, or on their translations", () => {
  const withRun = pages()
    .filter((page) => shellBlocksOf(page).some(({ mark }) => mark === "run"))
    .map(({ path }) => path.replace(/^docs\/zh\//u, "docs/"));
  expect(withRun).toContain("packages/cli/README.md");
  expect(withRun.filter((path) => !PASTED_PAGES.test(path))).toEqual([]);
});
