import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { root } from "@tillkit/repository";
import { pages } from "../docs-snippets/pages.js";
import { sectionsOf, sidebarOf } from "./sidebar.js";
import { SECTIONS_IN_CHINESE } from "./texts.js";

const LIST = `# Documentation

**Guides** show how.

- [Quick start](guide/quick-start.md): run it, with [Node](https://nodejs.org/a.md)
- [HTTP](guide/http.md): also as [OpenAPI](../packages/core/openapi.json)
- [Glossary](glossary.md): the terms

**Decisions** give the reasons: [the list](decisions/README.md).
`;

it("takes the sections and their pages from the list of the documentation", () => {
  expect(sectionsOf(LIST, "# Decisions\n\n- [A is B](a.md)\n")).toEqual([
    {
      name: "Guides",
      pages: [
        { title: "Quick start", page: "guide/quick-start.md" },
        { title: "HTTP", page: "guide/http.md" },
        { title: "Glossary", page: "glossary.md" },
      ],
    },
    { name: "Decisions", pages: [{ title: "A is B", page: "decisions/a.md" }] },
  ]);
});

it("links to every page of the documentation", () => {
  const linked = new Set(sidebarOf("root").flatMap(({ items }) => items.map(({ link }) => link)));
  const unlinked = pages()
    .map(({ path }) => path)
    .filter((path) => path.startsWith("docs/") && !/^docs\/(?:zh\/|index\.md$)|README\.md$/u.test(path))
    .filter((path) => !linked.has(path.replace(/^docs(.*)\.md$/u, "$1.html")));
  expect(unlinked).toEqual([]);
});

it("has a Chinese name for every section", () => {
  const sections = sidebarOf("root").map(({ text }) => text);
  expect(sections.length).toBeGreaterThan(2);
  expect(sections.filter((name) => SECTIONS_IN_CHINESE[name] === undefined)).toEqual([]);
});

it("links to the Chinese page, or marks the English page if there is no translation", () => {
  const links = sidebarOf("zh").flatMap(({ items }) => items);
  expect(links).toContainEqual({ text: "快速开始", link: "/zh/guide/quick-start.html" });
  expect(links).toContainEqual({ text: "Glossary（英文）", link: "/glossary.html" });
  const file = `${root}docs/zh/guide/quick-start.md`;
  expect(existsSync(file) && readFileSync(file, "utf8")).toContain("\n# 快速开始\n");
});
