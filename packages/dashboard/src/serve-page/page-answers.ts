import type { Ports } from "@tillkit/core";
import type { HttpReply, HttpRequest } from "@tillkit/core/http";
import { answerPage } from "./answer-page.js";
import type { PageFiles } from "./page-files.js";

/** How the page is read, and where browsers reach it. */
interface PageLocation {
  /** Reads the files. Returns `undefined` if there is no page. */
  readonly read: () => Promise<PageFiles | undefined>;
  readonly mountPath: string;
}

/**
 * Returns a function that answers requests for the page.
 *
 * It reads the files at the first request, and keeps them. If there are no files, or if they cannot
 * be read because a new version is being copied, the next request reads again.
 */
export function pageAnswers(
  { digest }: Pick<Ports, "digest">,
  { read, mountPath }: PageLocation,
): (request: HttpRequest) => Promise<HttpReply> {
  const prefix = mountPath.replace(/\/$/, "");
  let known: Promise<PageFiles | undefined> | undefined;
  return async (request) => {
    known ??= read().catch(() => undefined);
    const files = await known;
    if (files === undefined) known = undefined;
    return answerPage({ digest, mountPath: prefix, files }, request);
  };
}
