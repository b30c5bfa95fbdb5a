import { createHash, randomBytes } from "node:crypto";
import type { Operator } from "@tillkit/core";
import type { HttpReply, HttpRequest, Surface } from "@tillkit/core/http";
import * as oidc from "openid-client";

const MINUTE = 60_000;
/** How long a person may take to sign in at the provider, in milliseconds. */
const LOGIN_TIME = 10 * MINUTE;
/** How often the groups of a person are read again, in milliseconds. */
const CHECK_EVERY = 5 * MINUTE;
/** The longest time of a session, in milliseconds. */
const SESSION_TIME = 12 * 60 * MINUTE;
/** Sign-ins that may be under way at one time. */
const MAX_LOGINS = 10_000;

/** How operators sign in at an OpenID provider. */
export interface SingleSignOnOptions {
  /** The provider and this client, from `discovery` of `openid-client`. */
  readonly provider: oidc.Configuration;
  /** The origin of this host in the browser's address bar, such as `https://ops.example`. */
  readonly origin: string;
  /** Where the operators' page is mounted, such as `/dashboard`. */
  readonly mountPath: string;
  /** Where `surface` is mounted, such as `/sign-on`. */
  readonly signOnPath: string;
  /** The scopes that let the provider return the claim `groups`. */
  readonly scope: string;
  /** Returns the rights that the groups give, or `undefined` for a person who is no operator. */
  readonly rightsOf: (groups: readonly string[]) => Pick<Operator, "role" | "apps"> | undefined;
  /** Returns epoch milliseconds. Defaults to the time of the system. */
  readonly now?: () => number;
}

/** A sign-in that is under way. */
interface Login {
  /** The hash of the cookie of the browser that began. */
  readonly browser: string;
  readonly verifier: string;
  readonly nonce: string;
  /** The path below `mountPath` to return to. */
  readonly to: string;
  readonly endsAt: number;
}

interface Session {
  readonly subject: string;
  readonly accessToken: string;
  readonly idToken: string;
  readonly endsAt: number;
  readonly groups: readonly string[];
  readonly checkedAt: number;
}

/**
 * Signs operators in at an OpenID provider: authorization code flow with PKCE, state and nonce.
 *
 * Mount `surface` at `signOnPath`, and pass the other members to `dashboardSurface`. Sessions and
 * sign-ins are in the memory of this process. Several processes need a shared store for both maps.
 */
export function singleSignOn(options: SingleSignOnOptions) {
  const { provider, origin, mountPath, signOnPath, scope, rightsOf, now = Date.now } = options;
  const callbackUrl = `${origin}${signOnPath}/callback`;
  const isSecure = origin.startsWith("https:");
  /** By `state`. */
  const logins = new Map<string, Login>();
  /** By the hash of the cookie. */
  const sessions = new Map<string, Session>();
  /** The running checks, by session, so that the concurrent requests of a page share one check. */
  const checks = new Map<string, Promise<Session | undefined>>();

  /** Sends the browser to the provider. */
  async function start(request: HttpRequest): Promise<HttpReply> {
    removeEnded(logins, now());
    if (logins.size >= MAX_LOGINS) return refusal(429, "Too many sign-ins are under way. Try again later.");
    // A browser keeps its cookie, so that it can sign in on two tabs at once.
    const browser = readCookie(request, "browser") ?? randomToken();
    const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
    const to = returnPath(new URLSearchParams(request.query).get("to"));
    logins.set(state, { browser: hashOf(browser), verifier, nonce, to, endsAt: now() + LOGIN_TIME });
    const location = oidc.buildAuthorizationUrl(provider, {
      redirect_uri: callbackUrl,
      scope,
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    // `Lax`, because the provider sends the browser back from another site.
    return redirect(location.href, [cookie("browser", browser, "Lax", LOGIN_TIME)]);
  }

  /** Accepts the answer of the provider: once, and only in the browser that began. */
  async function finish(request: HttpRequest): Promise<HttpReply> {
    const state = new URLSearchParams(request.query).get("state") ?? "";
    const login = logins.get(state);
    const isOfBrowser = login?.browser === hashOf(readCookie(request, "browser") ?? "");
    if (login === undefined || !isOfBrowser || login.endsAt <= now())
      return refusal(400, "This sign-in has ended, or belongs to another browser. Sign in again.");
    logins.delete(state);
    let session: Session;
    try {
      const tokens = await oidc.authorizationCodeGrant(provider, new URL(`${callbackUrl}?${request.query}`), {
        expectedState: state,
        expectedNonce: login.nonce,
        pkceCodeVerifier: login.verifier,
        idTokenExpected: true,
      });
      const subject = tokens.claims()?.sub ?? "";
      const ttl = Math.min((tokens.expires_in ?? 600) * 1_000, SESSION_TIME);
      session = {
        subject,
        accessToken: tokens.access_token,
        idToken: tokens.id_token ?? "",
        endsAt: now() + ttl,
        groups: await groupsOf(tokens.access_token, subject),
        checkedAt: now(),
      };
    } catch {
      // The error may contain the code or a token, so it is not shown or logged as a whole.
      return refusal(400, "The provider did not confirm the sign-in. Sign in again.");
    }
    if (rightsOf(session.groups) === undefined)
      return refusal(403, "None of your groups may use this page. Ask an administrator.");
    removeEnded(sessions, now());
    sessions.delete(hashOf(readCookie(request, "session") ?? ""));
    const token = randomToken();
    sessions.set(hashOf(token), session);
    return redirect(login.to, [cookie("session", token, "Strict", undefined)]);
  }

  /** Ends the session here, and then at the provider. */
  function end(request: HttpRequest): HttpReply {
    // Another site must not sign operators out.
    if (/^(?:cross|same)-site$/.test(request.headers.get("sec-fetch-site") ?? ""))
      return refusal(403, "The request comes from another site.");
    const key = hashOf(readCookie(request, "session") ?? "");
    const session = sessions.get(key);
    sessions.delete(key);
    const location = oidc.buildEndSessionUrl(provider, {
      post_logout_redirect_uri: `${origin}${mountPath}`,
      ...(session !== undefined && { id_token_hint: session.idToken }),
    });
    return redirect(location.href, [cookie("session", "", "Strict", 0)]);
  }

  /** Returns the operator of a session whose groups were read at most five minutes ago. */
  async function authorize(request: HttpRequest): Promise<Operator | undefined> {
    const key = hashOf(readCookie(request, "session") ?? "");
    const stored = sessions.get(key);
    if (stored === undefined || stored.endsAt <= now()) return undefined;
    const session = stored.checkedAt + CHECK_EVERY > now() ? stored : await checked(key, stored);
    const rights = session && rightsOf(session.groups);
    // The subject is the identity: names, addresses and groups of a person change.
    return session && rights && { name: operatorName(session.subject), ...rights };
  }

  async function checked(key: string, session: Session): Promise<Session | undefined> {
    const known = checks.get(key);
    if (known !== undefined) return known;
    const check = checkAgain(key, session).finally(() => checks.delete(key));
    checks.set(key, check);
    return check;
  }

  async function checkAgain(key: string, session: Session): Promise<Session | undefined> {
    try {
      const groups = await groupsOf(session.accessToken, session.subject);
      const next = { ...session, groups, checkedAt: now() };
      // The operator may have signed out meanwhile.
      if (!sessions.has(key)) return undefined;
      sessions.set(key, next);
      return next;
    } catch (error) {
      // Without an answer of the provider, the request fails, and the next request asks again.
      if (!isRefusal(error)) throw error;
      sessions.delete(key);
      return undefined;
    }
  }

  async function groupsOf(accessToken: string, subject: string): Promise<readonly string[]> {
    const { groups } = await oidc.fetchUserInfo(provider, accessToken, subject);
    return Array.isArray(groups) ? groups.filter((group) => typeof group === "string") : [];
  }

  /** Returns a path of the operators' page, whatever the parameter `to` contains. */
  function returnPath(to: string | null): string {
    const url = to !== null && URL.canParse(to, origin) ? new URL(to, origin) : undefined;
    const isBelow = url?.pathname === mountPath || url?.pathname.startsWith(`${mountPath}/`) === true;
    return url?.origin === new URL(origin).origin && isBelow ? `${url.pathname}${url.search}` : mountPath;
  }

  function cookieName(name: string): string {
    // Browsers accept the prefix only with `Secure` and `Path=/`, and from this host itself.
    return `${isSecure ? "__Host-" : ""}sign-on-${name}`;
  }

  function readCookie({ headers }: HttpRequest, name: string): string | undefined {
    const prefix = `${cookieName(name)}=`;
    const found = (headers.get("cookie") ?? "").split(/; ?/).find((part) => part.startsWith(prefix));
    return found?.slice(prefix.length);
  }

  function cookie(name: string, value: string, sameSite: "Lax" | "Strict", ms: number | undefined): string {
    const age = ms === undefined ? [] : [`Max-Age=${String(Math.floor(ms / 1_000))}`];
    const attributes = ["Path=/", "HttpOnly", `SameSite=${sameSite}`, ...(isSecure ? ["Secure"] : [])];
    return [`${cookieName(name)}=${value}`, ...attributes, ...age].join("; ");
  }

  const surface: Surface = {
    maxRequestBytes: 0,
    owns: (method, path) => method === "GET" && ["/start", "/callback", "/end"].includes(path),
    handle: async (request) => {
      if (request.path === "/start") return start(request);
      return request.path === "/callback" ? finish(request) : end(request);
    },
  };
  return { surface, authorize, signInUrl: `${signOnPath}/start`, signOutUrl: `${signOnPath}/end` };
}

/** Removes what has ended, so that the memory stays bounded. */
function removeEnded(map: Map<string, { readonly endsAt: number }>, now: number): void {
  for (const [key, { endsAt }] of map) if (endsAt <= now) map.delete(key);
}

/** Returns whether the provider itself refused the access token. */
function isRefusal(error: unknown): boolean {
  return error instanceof oidc.WWWAuthenticateChallengeError || error instanceof oidc.ResponseBodyError;
}

/** Returns the name of the operator: the subject, or its hash if it is too long for a name. */
function operatorName(subject: string): string {
  return /^[\x21-\x7e]{1,64}$/.test(subject) ? subject : hashOf(subject);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

function redirect(location: string, cookies: readonly string[]): HttpReply {
  return { status: 302, headers: { location, "cache-control": "no-store" }, cookies, body: "" };
}

function refusal(status: number, text: string): HttpReply {
  return {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
    body: text,
  };
}
