import type { PasswordHasher, Ports } from "@tillkit/core";
import type { HttpRequest, Surface } from "@tillkit/core/http";
import type { SecondFactor } from "@tillkit/core/operators";
import { accountAccess } from "./access/account-access.js";
import { type Authorize, hostAccess } from "./access/host-access.js";
import { watchPeers } from "./access/watch-peers.js";
import { openStreams } from "./api/open-streams.js";
import { answerRequest } from "./api/answer-request.js";
import { operatorRoutes } from "./api/routes.js";
import { SECURITY_HEADERS } from "./api/security-headers.js";
import { figuresReader } from "./api/today/read-figures.js";
import type { WalletCallFigures } from "./wallet-call-figures.js";
import { otpauthTotp } from "./otpauth-totp.js";
import { pageAnswers } from "./serve-page/page-answers.js";
import { readPageFiles } from "./serve-page/page-files.js";

/** The maximum size of a request body, in bytes. */
const MAX_REQUEST_BYTES = 64 * 1024;
/** How many event streams one operator may have open in one process. A browser opens one. */
const MAX_STREAMS = 5;
/** How many exports one operator may have running in one process. */
const MAX_EXPORTS = 3;

/** Settings of operators who sign in with accounts of Tillkit. */
export interface AccountOptions {
  /** Hashes passwords, such as `scryptHasher()` of `@tillkit/runtime`. */
  readonly passwords: PasswordHasher;
  /** Whether operators must have a second factor. Defaults to `required`. */
  readonly secondFactor?: SecondFactor;
  /** The name of the service in the operator's authenticator app. Defaults to `Tillkit`. */
  readonly issuer?: string;
  /** The path under which the host mounts the surface, such as `/dashboard`. */
  readonly mountPath: string;
  /**
   * Whether the page is served over HTTPS. Defaults to `true`.
   *
   * Set `false` only for plain HTTP on localhost. With `true`, browsers send the cookie over HTTPS
   * only.
   */
  readonly secure?: boolean;
}

/** Settings of operators whom the host identifies, such as by single sign-on. */
export interface SignOnOptions {
  /** Returns the operator who sends a request, for example from a header of single sign-on. */
  readonly authorize: Authorize;
  /** The path under which the host mounts the surface, such as `/dashboard`. */
  readonly mountPath: string;
  /**
   * Where operators sign in: a path of this host, or an `https:` address.
   *
   * If it is absent, the page has no link to sign in.
   *
   * The page adds the parameter `to`: the path and query to return to. The host must return only to
   * paths below `mountPath`.
   */
  readonly signInUrl?: string;
  /** Where a link on the account page ends the session. Absent: the page has no such link. */
  readonly signOutUrl?: string;
}

/** Which page to serve. */
export interface PageOptions {
  /**
   * The folder of another build of the page. By default the page is a part of this package.
   *
   * For the development of the page. A bundled host needs neither a folder nor this option.
   */
  readonly page?: string;
}

/** How operators are identified: by accounts of Tillkit, or by the host's single sign-on. */
export type DashboardOptions = PageOptions &
  ({ readonly accounts: AccountOptions } | SignOnOptions) & {
    /**
     * Counts calls to the wallets, for the page Today. Absent: the page shows no such counts.
     *
     * Pass the same object to the host as its observer.
     */
    readonly walletCalls?: WalletCallFigures;
  };

/**
 * Creates the surface of the operators' page and its API.
 *
 * The surface answers every request below its mount path. Serve it to operators only, for example
 * on an address that the internet does not reach.
 *
 * @param options - `accounts`: operators sign in with a password and a second factor. `authorize`:
 *   the host identifies operators, for example by a header of its single sign-on. `page`: the
 *   folder of another build of the page.
 * @returns the surface, for any binding.
 * @example
 * ```ts
 * import { dashboardSurface } from "@tillkit/dashboard";
 * import { scryptHasher } from "@tillkit/runtime";
 *
 * const dashboard = dashboardSurface(ports, {
 *   accounts: { passwords: scryptHasher(), mountPath: "/dashboard" },
 * });
 * ```
 */
export function dashboardSurface(ports: Ports, options: DashboardOptions): Surface {
  const access =
    "accounts" in options ? accessByAccounts(ports, options.accounts) : hostAccess(ports, options);
  const context = {
    ports,
    access,
    streams: openStreams(MAX_STREAMS),
    exports: openStreams(MAX_EXPORTS),
    readFigures: figuresReader(ports, options.walletCalls),
  };
  const mountPath = "accounts" in options ? options.accounts.mountPath : options.mountPath;
  const { page } = options;
  // Loaded with the first request, because many processes of a host never serve the page.
  const read =
    page === undefined
      ? async () => (await import("./built-page.js")).readBuiltPage()
      : () => readPageFiles(page);
  const answerPage = pageAnswers(ports, { mountPath, read });
  const watch = watchPeers((code, text) => process.emitWarning(text, { type: "TillkitWarning", code }));
  return {
    maxRequestBytes: MAX_REQUEST_BYTES,
    owns: () => true,
    handle: async (request) => {
      watch(request);
      const reply = isForPage(request)
        ? await answerPage(request)
        : await answerRequest(context, operatorRoutes, request);
      return { ...reply, headers: { ...reply.headers, ...SECURITY_HEADERS } };
    },
  };
}

function isForPage({ method, path }: HttpRequest): boolean {
  return (method === "GET" || method === "HEAD") && path !== "/api" && !path.startsWith("/api/");
}

function accessByAccounts(ports: Ports, options: AccountOptions) {
  const { passwords, secondFactor = "required", issuer = "Tillkit", mountPath, secure = true } = options;
  const accountPorts = { ...ports, passwords, totp: otpauthTotp(issuer) };
  return accountAccess(accountPorts, { path: mountPath, secure }, secondFactor);
}
