import { readdir, readFile } from "node:fs/promises";

/** The content codings in which a file can be sent compressed. */
export type Coding = "br" | "gzip";

/** One file of the built page. */
export interface PageFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** The file in other codings. */
  readonly compressed: Readonly<Partial<Record<Coding, Uint8Array>>>;
  /** Whether its name contains a digest of its content, so that it never changes. */
  readonly isHashed: boolean;
}

/** The files of the built page, by their path below the mount point without its slash. */
export type PageFiles = ReadonlyMap<string, PageFile>;

/** Endings of the compressed copies that the build writes beside a file. */
const CODINGS = { br: ".br", gzip: ".gz" } as const satisfies Record<Coding, string>;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml; charset=utf-8",
  md: "text/markdown; charset=utf-8",
};

/** Returns whether browsers get the file compressed: all text files except `index.html`. */
export function isCompressed(path: string): boolean {
  return /\.(?:js|css|svg|md)$/.test(path);
}

/** Creates a file of the page. Its content type follows from the ending of its name. */
export function pageFile(path: string, bytes: Uint8Array, compressed: PageFile["compressed"]): PageFile {
  const contentType = contentTypeOf(path) ?? "application/octet-stream";
  return { bytes, contentType, compressed, isHashed: path.startsWith("assets/") };
}

function contentTypeOf(path: string): string | undefined {
  return CONTENT_TYPES[path.split(".").at(-1) ?? ""];
}

/**
 * Reads the files of the built page into memory: about 2 MB.
 *
 * Returns `undefined` if the folder contains no page.
 */
export async function readPageFiles(folder: string): Promise<PageFiles | undefined> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const paths = new Map(names.map((name) => [name.replaceAll("\\", "/"), `${folder}/${name}`]));
  if (!paths.has("index.html")) return undefined;
  const files = new Map<string, PageFile>();
  for (const [path, file] of paths) {
    if (contentTypeOf(path) === undefined) continue;
    const compressed: Partial<Record<Coding, Uint8Array>> = {};
    for (const coding of ["br", "gzip"] as const) {
      const copy = paths.get(path + CODINGS[coding]);
      if (copy !== undefined) compressed[coding] = await readFile(copy);
    }
    files.set(path, pageFile(path, await readFile(file), compressed));
  }
  return files;
}
