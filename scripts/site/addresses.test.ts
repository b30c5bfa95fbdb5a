import { expect, it } from "vitest";
import { siteAddressOf, siteFileOf, sitePictureOf } from "./addresses.js";

const GITHUB = "https://github.com/tillkit/tillkit";

it.each([
  ["docs/guide/payments.md", "refunds.md", "/guide/refunds.md"],
  ["docs/guide/payments.md", "../reference/errors.md#codes", "/reference/errors.md#codes"],
  ["docs/guide/payments.md", "../README.md", "/contents.md"],
  ["docs/internals/testing.md", "../decisions/README.md", "/decisions/"],
  ["docs/zh/guide/quick-start.md", "../README.md#packages", "/zh/#packages"],
  ["docs/zh/guide/quick-start.md", "../../guide/refunds.md", "/guide/refunds.md"],
  ["docs/guide/quick-start.md", "../../README.md", "/"],
  ["README.md", "docs/guide/refunds.md", "/guide/refunds.md"],
  ["README.md", "CONTRIBUTING.md", `${GITHUB}/blob/main/CONTRIBUTING.md`],
  ["README.md", "docs/zh", "/zh/"],
  ["docs/README.md", "zh/", "/zh/"],
  ["README.md", "packages/core", `${GITHUB}/tree/main/packages/core`],
  [
    "docs/guide/quick-start.md",
    "../../packages/sandbox/README.md#calls",
    `${GITHUB}/blob/main/packages/sandbox/README.md#calls`,
  ],
  ["docs/guide/quick-start.md", "../../examples/production/", `${GITHUB}/tree/main/examples/production`],
  ["docs/README.md", "../packages/core/openapi.json", `${GITHUB}/blob/main/packages/core/openapi.json`],
  ["README.md", "https://example.com/a.md", "https://example.com/a.md"],
  ["README.md", "#packages", "#packages"],
])("in %s, %s leads to %s", (from, link, address) => {
  expect(siteAddressOf(from, link)).toBe(address);
});

it("makes the README of a folder its index", () => {
  expect(["README.md", "zh/README.md", "decisions/README.md", "guide/refunds.md"].map(siteFileOf)).toEqual([
    "contents.md",
    "zh/index.md",
    "decisions/index.md",
    "guide/refunds.md",
  ]);
});

it.each([
  ["README.md", "docs/guide/images/a.webp", "./guide/images/a.webp"],
  ["README.md", "https://example.com/docs/a.png", "https://example.com/docs/a.png"],
  ["docs/guide/dashboard.md", "images/a.webp", "images/a.webp"],
])("in %s, the picture %s is at %s", (from, source, address) => {
  expect(sitePictureOf(from, source)).toBe(address);
});
