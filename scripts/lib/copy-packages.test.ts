import { expect, it } from "vitest";
import { publishedManifest } from "./copy-packages.js";

it("publishedManifest leaves out the condition that leads to src, and keeps the rest", () => {
  const source = {
    "@tillkit/source": "./src/index.ts",
    types: "./dist/index.d.ts",
    default: "./dist/index.js",
  };
  const exports = { ".": source, "./openapi.json": "./openapi.json" };
  const changed = publishedManifest({ name: "@tillkit/a", exports, files: ["dist"] });
  expect(changed).toEqual({
    name: "@tillkit/a",
    files: ["dist"],
    exports: {
      ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
      "./openapi.json": "./openapi.json",
    },
  });
});

it("publishedManifest accepts a package without exports", () => {
  expect(publishedManifest({ name: "create-tillkit" })).toEqual({ name: "create-tillkit" });
});
