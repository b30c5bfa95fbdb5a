import { type OperatorCommand, seesApp } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";
import type { ApiFailure } from "./api-failure.js";
import type { RouteContext } from "./route.js";

/** Returns who changes something, and why, for the audit log. */
export function commandOf({ identified, origin }: RouteContext, reason: string): OperatorCommand {
  return { operator: identified?.operator.name ?? "", reason, ...origin };
}

/** Returns whether the sender sees the app. */
export function sees({ identified }: RouteContext, appId: string): boolean {
  return identified !== undefined && seesApp(identified.operator, appId);
}

/** Fails with `app.unknown` if the sender does not see the app. */
export function requireApp(context: RouteContext, appId: string): Result<void, ApiFailure> {
  return sees(context, appId) ? ok(undefined) : err({ name: "app.unknown" });
}

/** Fails with `permission.denied` if the sender is limited to some apps. */
export function requireEveryApp({ identified }: RouteContext): Result<void, ApiFailure> {
  const isLimited = identified?.operator.apps !== undefined;
  return isLimited ? err({ name: "permission.denied" }) : ok(undefined);
}
