import { expect, it } from "vitest";
import { siteAddressOf, siteFileOf } from "./addresses.js";

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
  ["README.md", "CONTRIBUTING.md", "/contributing.md"],
  [
    "CONTRIBUTING.md",
    "SECURITY.md#what-counts-as-a-vulnerability",
    "/security.md#what-counts-as-a-vulnerability",
  ],
  ["README.md", "LICENSE", `${GITHUB}/blob/main/LICENSE`],
  ["README.md", "docs/zh", "/zh/"],
  ["docs/README.md", "zh/", "/zh/"],
  ["README.md", "packages/core", "/packages/core/"],
  ["docs/zh/README.md", "../../packages/core/", "/packages/core/"],
  ["docs/guide/quick-start.md", "../../packages/sandbox/README.md#calls", "/packages/sandbox/#calls"],
  ["packages/sms/README.md", "../../docs/guide/sms-sessions.md", "/guide/sms-sessions.md"],
  ["packages/core/README.md", "src/index.ts", `${GITHUB}/blob/main/packages/core/src/index.ts`],
  ["CONTRIBUTING.md", "packages/internal/fuzz", `${GITHUB}/tree/main/packages/internal/fuzz`],
  ["docs/guide/quick-start.md", "../../examples/production/", `${GITHUB}/tree/main/examples/production`],
  ["docs/README.md", "../packages/core/openapi.json", `${GITHUB}/blob/main/packages/core/openapi.json`],
  ["README.md", "https://example.com/a.md", "https://example.com/a.md"],
  ["packages/core/README.md", `${GITHUB}/blob/main/docs/guide/refunds.md#a`, "/guide/refunds.md#a"],
  ["packages/core/README.md", `${GITHUB}/tree/main/packages/client`, "/packages/client/"],
  ["packages/core/README.md", `${GITHUB}/blob/main/ops/a.yml`, `${GITHUB}/blob/main/ops/a.yml`],
  ["SECURITY.md", `${GITHUB}/security/advisories/new`, `${GITHUB}/security/advisories/new`],
  ["README.md", "#packages", "#packages"],
])("in %s, %s leads to %s", (from, link, address) => {
  expect(siteAddressOf(from, link)).toBe(address);
});

it.each([
  ["README.md", "index.md"],
  ["SECURITY.md", "security.md"],
  ["docs/zh/SECURITY.md", "zh/security.md"],
  ["docs/README.md", "contents.md"],
  ["docs/zh/README.md", "zh/index.md"],
  ["docs/decisions/README.md", "decisions/index.md"],
  ["docs/guide/refunds.md", "guide/refunds.md"],
  ["packages/core/README.md", "packages/core/index.md"],
])("the page of %s in the site is %s", (page, file) => {
  expect(siteFileOf(page)).toBe(file);
});
