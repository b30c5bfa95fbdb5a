import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { root } from "@tillkit/repository";
import { pages } from "../docs-snippets/pages.js";
import { pageAt, siteFileOf } from "./addresses.js";
import { sectionsOf, sidebarOf } from "./sidebar.js";
import { SECTIONS_IN_CHINESE } from "./texts.js";

const PAGES: Readonly<Record<string, string>> = {
  "docs/README.md": `# Documentation

**Guides** show how.

- [Quick start](guide/quick-start.md): run it, with [Node](https://nodejs.org/a.md)
- [HTTP](guide/http.md): also as [OpenAPI](../packages/core/openapi.json)
- [Glossary](glossary.md): the [terms](glossary.md#terms)
- [Security](../SECURITY.md): report a vulnerability

**Packages** have pages of their own: [the list](../README.md#packages).

**Decisions** give the reasons: [the list](decisions/README.md).
`,
  "README.md":
    "# A\n\n[Start](docs/a.md)\n\n## Packages\n\n| [`a/b`](packages/b) | c |\n\n## More\n\n[D](docs/d.md)\n",
  "docs/decisions/README.md": "# Decisions\n\n## Orders\n\n- [A is B](a.md)\n",
};

it("sectionsOf takes the sections and their pages from the list of the documentation", () => {
  expect(sectionsOf((page) => PAGES[page] ?? "")).toEqual([
    {
      name: "Guides",
      pages: [
        { title: "Quick start", page: "docs/guide/quick-start.md" },
        { title: "HTTP", page: "docs/guide/http.md" },
        { title: "Glossary", page: "docs/glossary.md" },
        { title: "Security", page: "SECURITY.md" },
      ],
    },
    { name: "Packages", pages: [{ title: "a/b", page: "packages/b/README.md" }] },
    { name: "Decisions", pages: [{ title: "A is B", page: "docs/decisions/a.md" }] },
  ]);
});

it("the navigation links to every page of the site", () => {
  const linked = new Set(sidebarOf("root").flatMap(({ items }) => items.map(({ link }) => link)));
  const unlinked = [...pages().map(({ path }) => path), "SECURITY.md", "CONTRIBUTING.md"]
    .filter((path) => pageAt(path) === path && !/^(?:docs\/(?:.+\/)?)?README\.md$|^docs\/zh\//u.test(path))
    .map((path) => `/${siteFileOf(path)}`.replace(/\/index\.md$/u, "/").replace(/\.md$/u, ".html"))
    .filter((address) => !linked.has(address));
  expect(unlinked).toEqual([]);
  expect(linked).toContain("/packages/core/");
  expect(linked).toContain("/security.html");
});

it.each(["root", "zh"] as const)(
  "the navigation of %s has the guide to the wallets after the quick start",
  (locale) => {
    const links = sidebarOf(locale).flatMap(({ items }) => items.map(({ link }) => link));
    const start = links.findIndex((link) => link.endsWith("/guide/quick-start.html"));
    expect(links[start + 1]).toMatch(/\/guide\/connect-your-wallets\.html$/);
  },
);

it("every section has a Chinese name", () => {
  const sections = sidebarOf("root").map(({ text }) => text);
  expect(sections.length).toBeGreaterThan(2);
  expect(sections.filter((name) => SECTIONS_IN_CHINESE[name] === undefined)).toEqual([]);
});

it("the Chinese navigation links to the Chinese page, or marks the English page if there is no translation", () => {
  const links = sidebarOf("zh").flatMap(({ items }) => items);
  expect(links).toContainEqual({ text: "快速开始", link: "/zh/guide/quick-start.html" });
  expect(links).toContainEqual({ text: "Glossary（英文）", link: "/glossary.html" });
  expect(links).toContainEqual({ text: "@tillkit/core（英文）", link: "/packages/core/" });
  const file = `${root}docs/zh/guide/quick-start.md`;
  expect(existsSync(file) && readFileSync(file, "utf8")).toContain("\n# 快速开始\n");
});
