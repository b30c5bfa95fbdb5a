import type { RequestHandler } from "express";

/** A path of plain letters: no parameter, wildcard or group. */
const PLAIN = /^[^:*?+(){}[\]\\]*$/;

/** What `app.use` looks for and uses in a sub-application. */
interface SubApplication {
  /** Express replaces it with what `app.use` was given, and then emits "mount". */
  readonly mountpath: unknown;
  readonly handle: RequestHandler;
  readonly set: () => void;
  readonly emit: () => void;
}

/**
 * Makes `handler` skip a request if the mount point in its URL differs in case from the one given
 * to `app.use`.
 *
 * Express compares mount points without regard to case unless the application says otherwise, and
 * tells only sub-applications where they are mounted. So the handler has the members by which
 * Express knows one. A mount point on an `express.Router()` stays with the settings of that router.
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
