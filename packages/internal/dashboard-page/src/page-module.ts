import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

/** The copies that the build writes beside a file. */
const COPY = /\.(?:br|gz)$/;

/**
 * Returns a module that contains the files of a built page, in place of `built-page.ts` of the
 * dashboard.
 *
 * Bundlers find modules, but no files beside them.
 */
export async function pageModule(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && !COPY.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`.replaceAll("\\", "/"))
    .sort();
  const members = await Promise.all(
    files.map(async (file) => {
      const path = file.slice(folder.length + 1);
      return `  ${JSON.stringify(path)}: "${(await packed(file)).toString("base64")}",`;
    }),
  );
  return `import { unpackPage } from "./serve-page/unpack-page.js";

export const readBuiltPage = () => unpackPage(PACKED);

const PACKED = {
${members.join("\n")}
};
`;
}

/** Returns a file compressed with Brotli, as the build may have written it. */
async function packed(file: string): Promise<Buffer> {
  const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  return readFile(`${file}.br`).catch(async () => promisify(brotliCompress)(await readFile(file), best));
}
