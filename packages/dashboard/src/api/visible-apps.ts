import { seesApp } from "@tillkit/core/operators";
import { err, ok, type Result } from "neverthrow";
import type { ApiFailure } from "./api-failure.js";
import type { RouteContext } from "./route-context.js";

/** Returns whether the sender sees the app. */
export function sees({ identified }: RouteContext, appId: string): boolean {
  return identified !== undefined && seesApp(identified.operator, appId);
}

/**
 * Returns the apps that a list may contain, or `undefined` for every app.
 *
 * @param appId - limits the list to this app. If the sender does not see it, the list is empty.
 */
export function visibleApps({ identified }: RouteContext, appId?: string): readonly string[] | undefined {
  const visible = identified?.operator.apps;
  return appId === undefined ? visible : [appId].filter((one) => visible?.includes(one) ?? true);
}

/** Fails with `app.unknown` if the sender does not see the app. */
export function requireApp(context: RouteContext, appId: string): Result<void, ApiFailure> {
  return sees(context, appId) ? ok(undefined) : err({ name: "app.unknown" });
}

/** Returns whether the sender sees every app. */
function seesEveryApp({ identified }: RouteContext): boolean {
  return identified !== undefined && identified.operator.apps === undefined;
}

/** Fails with `permission.denied` unless the sender sees every app. */
export function requireEveryApp(context: RouteContext): Result<void, ApiFailure> {
  return seesEveryApp(context) ? ok(undefined) : err({ name: "permission.denied" });
}
