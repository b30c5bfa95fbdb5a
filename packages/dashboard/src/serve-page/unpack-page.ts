import { promisify } from "node:util";
import { brotliDecompress, gzip } from "node:zlib";
import { isCompressed, type PageFile, type PageFiles, pageFile } from "./page-files.js";

/** The files of the page as the package contains them: base64 of Brotli, by path. */
export type PackedPage = Readonly<Record<string, string>>;

/** Unpacks the files of the page. Takes about 100 ms, outside of the event loop. */
export async function unpackPage(packed: PackedPage): Promise<PageFiles> {
  const files = Object.entries(packed).map(async ([path, text]): Promise<readonly [string, PageFile]> => {
    const br = Buffer.from(text, "base64");
    const bytes = await promisify(brotliDecompress)(br);
    const compressed = isCompressed(path) ? { br, gzip: await promisify(gzip)(bytes) } : {};
    return [path, pageFile(path, bytes, compressed)];
  });
  return new Map(await Promise.all(files));
}
