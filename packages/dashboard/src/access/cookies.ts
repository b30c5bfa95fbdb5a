import type { HttpRequest } from "@tillkit/core/http";

/** Where the cookie of the session applies. */
export interface CookieScope {
  /** The mount path, such as `/dashboard`. */
  readonly path: string;
  /** Whether browsers send the cookie over HTTPS only. */
  readonly secure: boolean;
}

/**
 * The name of the cookie.
 *
 * Browsers accept the prefix only with `Secure`, so that no page over plain HTTP can set it.
 */
export function cookieName({ secure }: Pick<CookieScope, "secure">): string {
  return secure ? "__Secure-tillkit-operator" : "tillkit-operator";
}

/** Returns the token of the session cookie, or `undefined`. */
export function readCookie(
  { headers }: Pick<HttpRequest, "headers">,
  scope: CookieScope,
): string | undefined {
  const prefix = `${cookieName(scope)}=`;
  const found = (headers.get("cookie") ?? "").split(/; ?/).find((part) => part.startsWith(prefix));
  const token = found?.slice(prefix.length) ?? "";
  return /^[\w-]{43}$/.test(token) ? token : undefined;
}

/** Returns the header that sets the cookie until the browser closes, or deletes it. */
export function setCookie(token: string | undefined, scope: CookieScope): string {
  const attributes = [
    `Path=${scope.path}`,
    "HttpOnly",
    "SameSite=Strict",
    ...(scope.secure ? ["Secure"] : []),
  ];
  const value = token ?? "";
  const ends = token === undefined ? ["Max-Age=0"] : [];
  return [`${cookieName(scope)}=${value}`, ...attributes, ...ends].join("; ");
}
