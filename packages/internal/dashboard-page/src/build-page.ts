import { readdir, readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { root } from "@tillkit/repository";
import react from "@vitejs/plugin-react";
import { build } from "vite";

/** The folder of the page's sources. */
export const PAGE_SOURCES = `${root}packages/dashboard/page`;
/** Files that browsers download compressed. */
const COMPRESSED = /\.(?:js|css|svg|md)$/;

/**
 * Builds the operators' page into a folder, with a compressed copy beside each text file.
 *
 * The addresses in the page are relative to the file that has them, so that the page works at any
 * mount path.
 */
export async function buildPage(outDir: string): Promise<void> {
  const { NODE_ENV = "" } = process.env;
  // Vite and React read `NODE_ENV`, which has another value in tests.
  process.env["NODE_ENV"] = "production";
  await build({
    root: PAGE_SOURCES,
    configFile: false,
    base: "./",
    logLevel: "warn",
    plugins: [react({ jsxImportSource: "~page" })],
    resolve: {
      conditions: ["@tillkit/source", "module", "browser", "production"],
      alias: { "~page/jsx-runtime": `${PAGE_SOURCES}/src/jsx/jsx-runtime.ts` },
    },
    build: {
      outDir,
      emptyOutDir: true,
      target: "es2022",
      assetsInlineLimit: 0,
      // The names and licenses of the libraries in the page.
      license: { fileName: "licenses.md" },
      // An inline script would violate the content security policy.
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 700,
    },
  });
  process.env["NODE_ENV"] = NODE_ENV;
  await compressAll(outDir);
}

async function compressAll(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true });
  for (const file of files.filter((name) => COMPRESSED.test(name))) {
    const bytes = await readFile(`${folder}/${file}`);
    const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
    await writeFile(`${folder}/${file}.br`, await promisify(brotliCompress)(bytes, best));
    await writeFile(`${folder}/${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
  }
}
