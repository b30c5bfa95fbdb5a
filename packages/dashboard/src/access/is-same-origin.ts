import type { HttpRequest } from "@tillkit/core/http";

/**
 * Returns whether a request that changes something comes from the page itself.
 *
 * Browsers state where a request comes from in `Sec-Fetch-Site`. Older ones send `Origin`, whose
 * host must be the one that the request was sent to. Programs send neither.
 *
 * @see {@link https://www.w3.org/TR/fetch-metadata/ | Fetch Metadata Request Headers}
 */
export function isSameOrigin({ headers }: Pick<HttpRequest, "headers">): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = headers.get("origin");
  if (origin === null) return true;
  return URL.canParse(origin) && new URL(origin).host === headers.get("host");
}

/**
 * Returns whether the browser states that another site caused a request that reads.
 *
 * A host that identifies operators by itself may do so for every request that a browser sends, also
 * for an image on another site whose address is an export.
 */
export function isFromOtherSite({ headers }: Pick<HttpRequest, "headers">): boolean {
  const site = headers.get("sec-fetch-site");
  return site === "cross-site" || site === "same-site";
}
