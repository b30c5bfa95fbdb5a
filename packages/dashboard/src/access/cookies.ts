import type { HttpRequest } from "@tillkit/core/http";
import type { KnownDevice } from "@tillkit/core/operators";

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
 * Browsers accept the prefix `__Secure-` only over HTTPS, so no page over plain HTTP can set the
 * cookie.
 */
function cookieName({ secure }: Pick<CookieScope, "secure">): string {
  return secure ? "__Secure-tillkit-operator" : "tillkit-operator";
}

/** Returns the token of the session cookie, or `undefined`. */
export function readCookie(request: Pick<HttpRequest, "headers">, scope: CookieScope): string | undefined {
  const prefix = `${cookieName(scope)}=`;
  const found = cookiesIn(request).find((part) => part.startsWith(prefix));
  const token = found?.slice(prefix.length) ?? "";
  return /^[\w-]{43}$/.test(token) ? token : undefined;
}

function cookiesIn({ headers }: Pick<HttpRequest, "headers">): readonly string[] {
  return (headers.get("cookie") ?? "").split(/; ?/);
}

/** The name of the cookies that make a browser known, without the id of the operator at its end. */
function deviceCookieName(scope: Pick<CookieScope, "secure">): string {
  return `${cookieName(scope)}-device-`;
}

/** Returns the tokens that make the browser known, one for each operator who signed in on it. */
export function readDeviceCookies(
  request: Pick<HttpRequest, "headers">,
  scope: CookieScope,
): readonly string[] {
  const prefix = deviceCookieName(scope);
  return cookiesIn(request)
    .filter((part) => part.startsWith(prefix))
    .map((part) => part.slice(part.indexOf("=") + 1));
}

/**
 * Returns the header that makes the browser known when the operator signs in again.
 *
 * Browsers send the cookie to the endpoints of the session only.
 *
 * @see {@link https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies |
 *   Device cookies}
 */
export function setDeviceCookie({ id, token, keptFor }: KnownDevice, scope: CookieScope): string {
  return [
    `${deviceCookieName(scope)}${id}=${token}`,
    `Path=${scope.path === "/" ? "" : scope.path}/api/session`,
    "HttpOnly",
    "SameSite=Strict",
    ...(scope.secure ? ["Secure"] : []),
    `Max-Age=${String(Math.floor(keptFor / 1_000))}`,
  ].join("; ");
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
