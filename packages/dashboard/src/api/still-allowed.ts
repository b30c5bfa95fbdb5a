import type { HttpRequest } from "@tillkit/core/http";
import { type Permission, seesApp } from "@tillkit/core/operators";
import { rightsRefusal } from "./rights-refusal.js";
import type { RouteContext } from "./route-context.js";

/** How often a long answer checks that the operator may still have it, in milliseconds. */
export const RIGHTS_INTERVAL = 15_000;

/**
 * Returns whether the sender of a request whose answer is still being sent may still have it.
 *
 * Does not count as a use of the session. False if the storage fails.
 *
 * @param apps - the apps that the answer is about. Absent: every app.
 */
export async function isStillAllowed(
  { access }: Pick<RouteContext, "access">,
  request: HttpRequest,
  permission: Permission,
  apps: readonly string[] | undefined,
): Promise<boolean> {
  const identified = await access.identify(request, false).unwrapOr(undefined);
  if (identified === undefined || rightsRefusal(permission, identified) !== undefined) return false;
  const { operator } = identified;
  return apps?.every((appId) => seesApp(operator, appId)) ?? operator.apps === undefined;
}
