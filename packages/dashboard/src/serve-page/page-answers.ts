import type { Ports } from "@tillkit/core";
import type { HttpReply, HttpRequest } from "@tillkit/core/http";
import { answerPage } from "./answer-page.js";
import { type PageFiles, readPageFiles } from "./page-files.js";

/** Where the page is, and where browsers reach it. */
interface PageLocation {
  readonly folder: string;
  readonly mountPath: string;
}

/**
 * Returns a function that answers requests for the page.
 *
 * It reads the files at the first request, and keeps them. It looks again while there are none, or
 * while they cannot be read, for example because a new version is being copied.
 */
export function pageAnswers(
  { digest }: Pick<Ports, "digest">,
  { folder, mountPath }: PageLocation,
): (request: HttpRequest) => Promise<HttpReply> {
  const prefix = mountPath.replace(/\/$/, "");
  let known: Promise<PageFiles | undefined> | undefined;
  return async (request) => {
    known ??= readPageFiles(folder).catch(() => undefined);
    const files = await known;
    if (files === undefined) known = undefined;
    return answerPage({ digest, mountPath: prefix, files }, request);
  };
}
