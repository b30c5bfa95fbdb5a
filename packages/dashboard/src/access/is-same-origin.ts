import type { HttpRequest } from "@tillkit/core/http";

/**
 * Returns whether a request that changes something comes from the page itself.
 *
 * Browsers send `Sec-Fetch-Site`. Older browsers send `Origin`, whose host must equal the header
 * `Host`. Programs other than browsers send neither, and are accepted.
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
