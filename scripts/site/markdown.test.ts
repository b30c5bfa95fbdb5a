import { root } from "@tillkit/repository";
import { expect, it } from "vitest";
import { createMarkdownRenderer } from "vitepress";
import { linkToSite, showOwnPictures } from "./markdown.js";

const md = await createMarkdownRenderer(root, {
  config: (renderer) => {
    linkToSite(renderer);
    showOwnPictures(renderer);
  },
});

function rendered(text: string, page = "README.md"): string {
  return md.render(text, { path: `${root}index.md`, realPath: root + page });
}

it("the site renders a badge as a link with its text, and loads no picture of another server", () => {
  const html = rendered("[![A > B](https://badges.example/a.svg)](LICENSE)");
  expect(html).toContain(">A &gt; B</a>");
  expect(html).toContain('href="https://github.com/tillkit/tillkit/blob/main/LICENSE"');
  expect(html).not.toContain("badges.example");
});

it("the site shows pictures of the repository", () => {
  expect(rendered("![Today](docs/a.webp)")).toContain('<img src="./docs/a.webp" alt="Today"');
});

it("the site resolves links at the page's place in the repository", () => {
  expect(rendered("[R](../../docs/guide/refunds.md#a)", "packages/core/README.md")).toContain(
    'href="/guide/refunds.html#a"',
  );
});
