import type { Meter } from "@opentelemetry/api";
import type { ServiceEvent } from "@tillkit/core";
import { ERROR_CATALOG } from "@tillkit/core/errors";

type RequestAnswered = Extract<ServiceEvent, { type: "request.answered" }>;

/** Apps beyond this number share one label, so that the number of series stays bounded. */
const MAX_APPS = 200;

/** The failures that count as refusals: overload, wrong credentials, and all with status 429. */
const REFUSALS: ReadonlySet<string> = new Set([
  "overload",
  "credentials.missing",
  "credentials.invalid",
  ...Object.entries(ERROR_CATALOG).flatMap(([name, { status }]) => (status === 429 ? [name] : [])),
]);

/**
 * Creates a function that counts refused requests by app and reason.
 *
 * `app` is `unknown` unless the event names an existing app, so a caller cannot create a series.
 */
export function appRefusalCounter(meter: Meter): (event: RequestAnswered) => void {
  const counter = meter.createCounter("tillkit.app.refusals", {
    description: "Refused payments and sessions requests, by app and reason.",
  });
  const apps = new Set<string>();
  const labelOf = (appId: string | undefined): string => {
    if (appId === undefined) return "unknown";
    if (apps.size < MAX_APPS) apps.add(appId);
    return apps.has(appId) ? appId : "other";
  };
  return ({ failure, appId, isAppDisabled = false }) => {
    if (failure === undefined || !REFUSALS.has(failure)) return;
    counter.add(1, { app: labelOf(appId), reason: isAppDisabled ? "app.disabled" : failure });
  };
}
