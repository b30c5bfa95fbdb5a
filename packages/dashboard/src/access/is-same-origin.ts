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
