import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";

it("is a bundle of at most 6 KiB after gzip, without modules of Node", async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL("index.ts", import.meta.url))],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
    metafile: true,
  });
  const [bundle] = outputFiles;
  expect(gzipSync(bundle?.contents ?? "").byteLength).toBeLessThanOrEqual(6 * 1024);
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
});
