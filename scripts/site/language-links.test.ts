import { expect, it } from "vitest";
import { missingLanguageLinks } from "./language-links.js";

const linkTo = (address: string, label: string) =>
  `<a class="VPLink link" href="${address}" data-v><!--[--><span data-v>${label}</span><!--]--></a>`;

const PAGES = {
  "/site/index.html": linkTo("/site/zh/", "简体中文"),
  "/site/zh/index.html": linkTo("/site/", "English"),
  "/site/guide/a.html": linkTo("/site/zh/guide/a.html", "简体中文"),
  "/site/zh/guide/a.html": linkTo("/site/guide/a.html", "English"),
  "/site/security.html": linkTo("/site/zh/", "简体中文"),
  "/site/404.html": "",
};

const missingIn = (changes: Readonly<Record<string, string>>) =>
  missingLanguageLinks(new Map(Object.entries({ ...PAGES, ...changes })), "/site/");

it("missingLanguageLinks accepts links to the same page, or to the home page of the other language", () => {
  expect(missingIn({})).toEqual([]);
});

it.each([
  ["/site/security.html", "", "/site/zh/"],
  ["/site/guide/a.html", PAGES["/site/index.html"], "/site/zh/guide/a.html"],
  ["/site/zh/guide/a.html", linkTo("/site/guide/a.html", "Payments"), "/site/guide/a.html"],
])("missingLanguageLinks names %s, which has another link", (address, html, target) => {
  expect(missingIn({ [address]: html })).toEqual([
    expect.stringContaining(`${address} has no link to ${target}`),
  ]);
});
