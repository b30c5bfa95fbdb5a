import {
  withConcurrencyLimit,
  downloadsFailureResponse,
  type HttpReply,
  type HttpRequest,
  metricsRoutes,
  metricsSurface,
  type Surface,
} from "@tillkit/core/http";
import fc from "fast-check";
import { documentedApi } from "./documented-api.js";
import { openTargetBy, reportBroken, type FuzzTarget } from "./fuzz-target.js";
import { expectNotFound } from "./not-found.js";
import { expectNoSecret } from "./payments-answers.js";
import {
  type Change,
  changed,
  changesOf,
  requestOf,
  type SpelledRequest,
  describeRequest,
} from "./requests.js";
import { CLIENTS, openFixture, type TestFixture } from "./fixture.js";

interface RequestStep {
  readonly values: Readonly<Record<string, string>>;
  readonly changes: readonly Change[];
}

/** The HTTP status of each error in version 2. */
const STATUSES: Readonly<Record<string, number>> = {
  MISSING_REQUIRED_QUERY_PARAMS: 400,
  INVALID_DATE: 400,
  INVALID_DATE_RANGE: 400,
  DATE_RANGE_TOO_LONG: 400,
  ID_NOT_ALLOWED: 403,
  ID_NOT_FOUND: 404,
  DAILY_LIMIT_REACHED: 429,
};

/** Valid values, by parameter name. Other parameters get any text. */
const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  id: [...Object.values(CLIENTS), "nobody"],
  start: ["2026-01-14", "2026-01-01", "2024-02-29"],
  end: ["2026-01-15", "2026-01-14", "2025-12-31"],
};

/**
 * Creates the target of both versions of the downloads endpoint.
 *
 * @param change - wraps or replaces the surface.
 */
export function metrics(
  change: (surface: Surface<string>) => Surface<string> = (surface) => surface,
): FuzzTarget {
  return {
    name: "metrics",
    share: 10,
    open: async () => {
      const fixture = await openFixture();
      const { parameters = [] } = documentedApi().get(`GET ${metricsRoutes[0].path}`) ?? {};
      const names = parameters.map(({ name }) => name);
      const values = names.map((name) => [name, fc.constantFrom(...(SAMPLES[name] ?? ["x"]))] as const);
      const step = fc.record({
        values: fc.record(Object.fromEntries(values)),
        changes: fc.array(changesOf(names), { maxLength: 4, size: "max" }),
      });
      return openTargetBy<readonly RequestStep[]>({
        cases: fc.array(step, { maxLength: 12, size: "max" }),
        requestsIn: (steps) => metricsRoutes.length * steps.length,
        play: (steps) => play(fixture, steps, change),
        toText: (steps) =>
          steps.map((step) => describeRequest(requestAt(step, metricsRoutes[0].path))).join("\n"),
      });
    },
  };
}

/** Sends the requests to each version in a separate service, so that all see the same state. */
async function play(
  fixture: TestFixture,
  steps: readonly RequestStep[],
  change: (surface: Surface<string>) => Surface<string>,
): Promise<void> {
  const versions = metricsRoutes.map(({ path, version }) => {
    const { ports } = fixture.again();
    return { path, version, surface: change(withConcurrencyLimit(ports, metricsSurface(ports))) };
  });
  for (const step of steps) {
    const bodies: string[] = [];
    for (const { path, version, surface } of versions) {
      const request = requestAt(step, path);
      if (!surface.owns(request.method, request.path)) continue;
      const reply = await surface.handle(request);
      if (
        metricsRoutes.some(
          (one) => one.method === request.method && one.path === request.path.replace(/\/$/, ""),
        )
      ) {
        expectAnswer(request, reply, version === "legacy", fixture);
        bodies.push(reply.body);
      } else expectNotFound(reply);
    }
    if (new Set(bodies).size > 1) reportBroken("both versions return the same body", bodies);
  }
}

function expectAnswer(
  request: HttpRequest,
  reply: HttpReply<string>,
  legacy: boolean,
  { secrets }: TestFixture,
): void {
  if (reply.headers["content-type"] !== "application/json; charset=utf-8")
    reportBroken("every answer is JSON", reply);
  expectNoSecret(reply, secrets);
  const json = jsonOf(reply.body);
  const success = metricsRoutes[0].response().safeParse(json);
  const failure = downloadsFailureResponse().safeParse(json);
  if (success.success) {
    const { usedToday, dailyLimit, remainingToday } = success.data.data.usage;
    if (usedToday > dailyLimit || remainingToday !== dailyLimit - usedToday)
      reportBroken("no allowance is exceeded", reply.body);
    if (reply.headers["ratelimit-remaining"] !== String(remainingToday))
      reportBroken("the headers agree with the body", reply);
  } else if (!failure.success) reportBroken("every answer is enveloped", reply.body);
  const code = failure.success ? failure.data.data.errorCode : undefined;
  const status = code === undefined ? 200 : STATUSES[code];
  if (status === undefined) return reportBroken("nothing fails while nothing is broken", reply.body);
  if (reply.status !== (legacy ? 200 : status))
    reportBroken(`${code ?? "a success"} has the status ${status}`, reply);
  const absent = ["id", "start", "end"].some((name) => !new URLSearchParams(request.query).get(name));
  if (absent && code !== "MISSING_REQUIRED_QUERY_PARAMS")
    reportBroken("missing parameters are reported first", reply.body);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return reportBroken("every answer is enveloped", text);
  }
}

function requestAt({ values, changes }: RequestStep, path: string): SpelledRequest {
  const members = Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)] as const);
  const draft = {
    method: "GET",
    path,
    from: "query",
    members,
    headers: {},
    query: "",
    form: false,
    changes: [],
  } as const;
  return requestOf(changes.reduce(changed, draft), 0);
}
