import type { RequestHandler } from "express";

/** Matches a literal path: no parameter, wildcard or group. */
const PLAIN = /^[^:*?+(){}[\]\\]*$/;

/** The members of a sub-application that `app.use` checks for or calls. */
interface SubApplication {
  /** Express sets the mount point that `app.use` received, and then emits "mount". */
  readonly mountpath: unknown;
  readonly handle: RequestHandler;
  readonly set: () => void;
  readonly emit: () => void;
}

/**
 * Makes `handler` skip a request whose mount point differs in case from the one given to `app.use`.
 *
 * By default Express compares mount points without regard to case, and reports the mount point only
 * to sub-applications. The returned handler therefore has the members of a sub-application. On an
 * `express.Router()`, the settings of that router decide how the mount point is compared.
 */
export function mountedExactly(handler: RequestHandler): RequestHandler {
  const mountPoints: string[] = [];
  const exact: RequestHandler = (request, response, next) => {
    if (isMisspelt(request.baseUrl, mountPoints)) next();
    else void handler(request, response, next);
  };
  const asSubApplication: SubApplication = {
    mountpath: "/",
    handle: exact,
    set: () => undefined,
    emit: () => {
      mountPoints.push(...[mounted.mountpath].flat().filter(isPlain).map(withoutTrailingSlash));
    },
  };
  const mounted = Object.assign(exact, asSubApplication);
  return mounted;
}

function isMisspelt(baseUrl: string, mountPoints: readonly string[]): boolean {
  if (mountPoints.some((point) => baseUrl.endsWith(point))) return false;
  return mountPoints.some((point) => baseUrl.toLowerCase().endsWith(point.toLowerCase()));
}

function isPlain(point: unknown): point is string {
  return typeof point === "string" && PLAIN.test(point);
}

function withoutTrailingSlash(point: string): string {
  return point.replace(/\/$/, "");
}
