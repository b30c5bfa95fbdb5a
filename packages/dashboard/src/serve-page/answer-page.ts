import type { Digest } from "@tillkit/core";
import { chosenCoding, type HttpReply, type HttpRequest, isKnownToClient } from "@tillkit/core/http";
import type { PageFile, PageFiles } from "./page-files.js";

/** One year: the name of a hashed file changes with its content. */
const IMMUTABLE = "public, max-age=31536000, immutable";
/** The browser asks again at each visit, and gets 304 if the file is the same. */
const REVALIDATED = "no-cache";
/** The start of each address of a file in `index.html`. */
const RELATIVE = /(?<=(?:src|href)=")\.\//g;

/** What the answers depend on. */
export interface PageContext {
  readonly digest: Pick<Digest, "sha256">;
  /** The path under which browsers reach the page, without a trailing slash. */
  readonly mountPath: string;
  /** Absent if the page has not been built. */
  readonly files: PageFiles | undefined;
}

/**
 * Answers with a file of the page, or with `index.html` for the address of a view.
 *
 * The page's script reads from the address which view to show.
 */
export function answerPage(context: PageContext, request: HttpRequest): HttpReply {
  const { files, mountPath } = context;
  if (files === undefined) return textReply(503, "The page has not been built: run `npm run page`.\n");
  const path = request.path.slice(1);
  const file = path === "index.html" ? undefined : files.get(path);
  if (file !== undefined) return fileReply(context, file, request);
  const index = files.get("index.html");
  if (path.startsWith("assets/") || index === undefined) return textReply(404, "There is no such file.\n");
  const html = new TextDecoder().decode(index.bytes).replace(RELATIVE, `${mountPath}/`);
  // The compressed copies contain the addresses before the replacement.
  const bytes = new TextEncoder().encode(html);
  return fileReply(context, { ...index, bytes, compressed: {} }, request);
}

function fileReply({ digest }: PageContext, file: PageFile, request: HttpRequest): HttpReply {
  const { bytes, contentType, compressed, isHashed } = file;
  const { coding } = chosenCoding(request, ["br", "gzip"]);
  const body = coding === undefined ? undefined : compressed[coding];
  const headers = {
    "content-type": contentType,
    "cache-control": isHashed ? IMMUTABLE : REVALIDATED,
    vary: "accept-encoding",
    ...(isHashed ? {} : { etag: `W/"${digest.sha256(new TextDecoder().decode(bytes))}"` }),
  };
  if ("etag" in headers && isKnownToClient(request, headers.etag)) {
    return { status: 304, headers, body: "", route: "/{page}" };
  }
  return {
    status: 200,
    body: body ?? bytes,
    route: "/{page}",
    headers:
      body === undefined || coding === undefined ? headers : { ...headers, "content-encoding": coding },
  };
}

function textReply(status: number, body: string): HttpReply {
  return {
    status,
    body,
    route: "/{page}",
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  };
}
