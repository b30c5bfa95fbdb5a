import type { Digest } from "../shared/digest.js";
import type { HttpRequest } from "./request.js";

/**
 * Creates a function that returns the weak entity tag of a content.
 *
 * The tag is weak because two replies with the same content may have different bytes. They may have
 * different codings, or differ in a member that is not part of the content.
 *
 * The function caches the latest tag. Concurrent requests for one report have the same content, and
 * hashing it takes as long as sending it.
 */
export function entityTags(digest: Pick<Digest, "sha256">): (content: string) => string {
  let latest: { readonly content: string; readonly tag: string } | undefined;
  return (content) => {
    if (latest?.content !== content) latest = { content, tag: `W/"${digest.sha256(content)}"` };
    return latest.tag;
  };
}

const TAG = /"[!#-~\u0080-\u00ff]*"/g;

/**
 * Returns whether the client already has the content of this tag (`If-None-Match`).
 *
 * The comparison is weak, as HTTP requires: `W/"a"` equals `"a"`. `*` stands for any tag.
 *
 * @returns true if the host must reply with 304.
 * @example
 * ```ts
 * import { type HttpRequest, isKnownToClient } from "@tillkit/core/http";
 *
 * declare const request: HttpRequest;
 *
 * const isNotModified = isKnownToClient(request, 'W/"a1b2"');
 * ```
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#name-if-none-match | RFC 9110, 13.1.2}
 */
export function isKnownToClient({ headers }: Pick<HttpRequest, "headers">, tag: string): boolean {
  const tags = headers.get("if-none-match")?.trim();
  if (tags === undefined) return false;
  if (tags === "*") return true;
  const opaque = tag.replace(/^W\//, "");
  return [...tags.matchAll(TAG)].some(([one]) => one === opaque);
}
