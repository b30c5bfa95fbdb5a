import { mkdir, writeFile } from "node:fs/promises";
import { brotliCompressSync, gunzipSync, gzipSync } from "node:zlib";
import { withTemporaryFolder } from "@tillkit/repository";
import { expect, it } from "vitest";
import { readPageFiles } from "./page-files.js";
import { unpackPage } from "./unpack-page.js";

const FILES = {
  "index.html": "<html></html>",
  "favicon.svg": "<svg/>",
  "assets/index-abc.js": "console.log(1);",
} as const;

it("unpacks the same files that the folder of the page contains", () =>
  withTemporaryFolder(async (folder) => {
    await mkdir(`${folder}/assets`);
    for (const [path, text] of Object.entries(FILES)) {
      await writeFile(`${folder}/${path}`, text);
      if (path === "index.html") continue;
      await writeFile(`${folder}/${path}.br`, brotliCompressSync(text));
      await writeFile(`${folder}/${path}.gz`, gzipSync(text));
    }
    const packed = Object.entries(FILES).map(
      ([path, text]) => [path, brotliCompressSync(text).toString("base64")] as const,
    );
    const unpacked = await unpackPage(Object.fromEntries(packed));
    const read = await readPageFiles(folder);
    expect([...unpacked.keys()].sort()).toEqual([...(read?.keys() ?? [])].sort());
    for (const [path, file] of unpacked) {
      const expected = read?.get(path);
      expect({ ...file, compressed: file.compressed.br }).toEqual({
        ...expected,
        compressed: expected?.compressed.br,
      });
      const { gzip } = file.compressed;
      expect(gzip && gunzipSync(gzip)).toEqual(path === "index.html" ? undefined : expected?.bytes);
    }
  }));
