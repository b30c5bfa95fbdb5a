import { withConcurrencyLimit, paymentsSurface, type Surface } from "@tillkit/core/http";
import fc from "fast-check";
import { openTargetBy, reportBroken, type FuzzTarget } from "./fuzz-target.js";
import { codeOfAnswer } from "./payments-answers.js";
import { endpointNamed, faultNamed, type RequestStep, stepsOf } from "./payments-requests.js";
import { changed, type Draft, requestOf, type SpelledRequest, describeRequest } from "./requests.js";
import { openFixture, type ServiceCopy, type TestFixture } from "./fixture.js";

interface FuzzCase {
  readonly statusMode: "always-200" | "standard";
  readonly steps: readonly RequestStep[];
}

/** Codes that depend only on the request and not on the state. */
const OF_THE_REQUEST: ReadonlySet<number> = new Set([
  1, 1001, 10001, 10002, 10003, 10004, 10005, 10006, 10007, 10008, 10009, 10010, 10011, 10012, 10013, 10014,
]);

/**
 * Creates the target of the payments and session endpoints.
 *
 * @param change - wraps or replaces the surface, to test that a planted fault is found.
 */
export function payments(
  change: (surface: Surface<string>) => Surface<string> = (surface) => surface,
): FuzzTarget {
  return {
    name: "payments",
    share: 40,
    open: async () => {
      const fixture = await openFixture();
      const cases = fc.record({
        statusMode: fc.constantFrom("always-200", "standard"),
        steps: fc.array(stepsOf(fixture), { maxLength: 12, size: "max" }),
      });
      return openTargetBy<FuzzCase>({
        cases,
        requestsIn: ({ steps }) => 2 * steps.length,
        play: (fuzzCase) => play(fixture, fuzzCase, change),
        toText: ({ statusMode, steps }) =>
          [
            `statusMode: ${statusMode}`,
            ...steps.map((step) => describeRequest(requestAt(fixture, step))),
          ].join("\n"),
      });
    },
  };
}

async function play(
  fixture: TestFixture,
  { statusMode, steps }: FuzzCase,
  change: (surface: Surface<string>) => Surface<string>,
): Promise<void> {
  const service = fixture.again({ statusMode });
  const surface = change(withConcurrencyLimit(service.ports, paymentsSurface(service.ports)));
  const before = moneyIn(service);
  const expected = { statusMode, secrets: fixture.secrets, serviceEvents: service.serviceEvents };
  for (const step of steps) {
    const request = requestAt(fixture, step);
    const codes: number[] = [];
    for (let times = 0; times < 2; times += 1)
      codes.push(codeOfAnswer(request, await surface.handle(request), expected));
    const [first = 0, second = 0] = codes;
    if ((OF_THE_REQUEST.has(first) || OF_THE_REQUEST.has(second)) && first !== second)
      reportBroken("a repeated fault returns the same code", codes);
    const fault = step.fault === undefined ? undefined : faultNamed(step.route, step.fault);
    if (fault !== undefined && fault.code !== first)
      reportBroken(`"${fault.name}" has the code ${fault.code}`, first);
  }
  if (moneyIn(service) !== before)
    reportBroken("no request of a caller changes payments, refunds or services", moneyIn(service));
}

/** Returns all payments, refunds and services as text. */
function moneyIn({ state }: ServiceCopy): string {
  const stored = [...state.orders.values()].flatMap(({ order, refunds }) =>
    order.paymentStatus === "PAID" || order.paymentStatus === "REFUND"
      ? [[order.id, order.paymentStatus, order.refundedAmount, [...refunds.values()]]]
      : [],
  );
  return JSON.stringify([stored, [...state.services.values()].map((services) => [...services.values()])]);
}

/**
 * Creates the request of a step.
 *
 * @param maxRequestBytes - a larger body counts as too large.
 */
export function requestAt(
  fixture: TestFixture,
  { route: name, caller, values, changes, fault }: RequestStep,
  maxRequestBytes = 64 * 1_024,
): SpelledRequest {
  const { route } = endpointNamed(name);
  const { appId, appSecret } = fixture.apps[caller];
  const draft: Draft = {
    method: route.method,
    path: route.path,
    from: route.from,
    members: Object.entries(values).flatMap(([key, json]) =>
      json === undefined ? [] : [[key, json] as const],
    ),
    headers: { app_id: appId, app_secret: appSecret },
    query: "",
    form: false,
    changes: [],
  };
  const faulty =
    fault === undefined ? changes.reduce(changed, draft) : faultNamed(name, fault).injectFault(draft);
  return requestOf(faulty, maxRequestBytes);
}
