import type { HttpRequest } from "@tillkit/core/http";

/**
 * Returns whether a request that changes something comes from the page itself.
 *
 * Browsers send `Sec-Fetch-Site`. Older browsers send `Origin`, whose host must equal `Host` or
 * `X-Forwarded-Host`: a proxy may rewrite `Host`, and a page of another site can set neither
 * header. Programs other than browsers send no `Origin`, and are accepted.
 *
 * @see {@link https://www.w3.org/TR/fetch-metadata/ | Fetch Metadata Request Headers}
 */
export function isSameOrigin({ headers }: Pick<HttpRequest, "headers">): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = headers.get("origin");
  if (origin === null) return true;
  if (!URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  return [headers.get("host"), headers.get("x-forwarded-host")].some((named) => {
    // `Origin` omits a default port, but a proxy may add the port to the host.
    const url = `${protocol}//${named ?? ""}`;
    return named !== null && URL.canParse(url) && new URL(url).host === host;
  });
}

/**
 * Returns whether the browser states that another site caused this read.
 *
 * A host with a single sign-on may identify the operator in every request of a browser: even in a
 * request for an image on another site, whose address is an export.
 */
export function isFromOtherSite({ headers }: Pick<HttpRequest, "headers">): boolean {
  const site = headers.get("sec-fetch-site");
  return site === "cross-site" || site === "same-site";
}
