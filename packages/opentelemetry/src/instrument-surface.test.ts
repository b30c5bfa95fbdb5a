import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { createApp, configurePayTool, orThrow, type Ports } from "@tillkit/core";
import { discardStream, type HttpRequest, isStream, limitedSurfaces, type Surface } from "@tillkit/core/http";
import { headersIn } from "@tillkit/core/ports";
import { memoryPorts } from "@tillkit/memory";
import { errAsync } from "neverthrow";
import { afterEach, beforeEach, assert, expect, it } from "vitest";
import { instrumentSurface } from "./instrument-surface.js";
import { installTelemetry, removeTelemetry, type Telemetry } from "./testing/telemetry.js";
import { tracePorts } from "./trace-ports.js";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";

let telemetry: Telemetry;
beforeEach(() => {
  telemetry = installTelemetry();
});
afterEach(removeTelemetry);

/** Creates a host in memory with one app and a pay tool, and a caller of its surfaces. */
async function aHost(change: (ports: Ports) => Ports = (ports) => ports) {
  const memory = memoryPorts();
  const { app, appSecret } = await orThrow(createApp(memory, { name: "Notes" }));
  const account = { accountId: "m-1", walletAppId: "wx-1", credentials: {} };
  const registered = { appName: "Notes", appPackageName: "com.example.notes", appSignature: "0a1b2c" };
  const tool = { payChannel: "WALLET_A", appEnv: "DEV", ...account, ...registered } as const;
  await orThrow(configurePayTool(memory, app.appId, tool));
  const surfaces = limitedSurfaces(tracePorts(change(memory)));
  const request = (method: string, path: string, more: Partial<HttpRequest> = {}, headers = {}) => ({
    method,
    path,
    query: "",
    body: new Uint8Array(),
    headers: headersIn({ app_id: app.appId, app_secret: appSecret, ...headers }),
    ...more,
  });
  const create = (bizNo: string) => {
    const terms = { bizNo, customerIdentity: "user-1", amount: 600, goodsTitle: "One month" };
    const body = new TextEncoder().encode(JSON.stringify({ ...terms, payChannel: "WALLET_A" }));
    return request("POST", "/order.json", { body }, { traceparent: `00-${TRACE}-${PARENT}-01` });
  };
  return { memory, surfaces, request, create };
}

it("continues the caller's trace, and answers with its id", async () => {
  const { surfaces, create } = await aHost();
  const reply = await instrumentSurface(surfaces.payments).handle(create("b-1"));
  expect(reply.headers["x-trace-id"]).toBe(TRACE);
  assert(typeof reply.body === "string");
  expect(JSON.parse(reply.body)).toMatchObject({ code: 0, traceId: TRACE });
  const server = telemetry.spans().at(-1);
  expect(server).toMatchObject({
    name: "POST /order.json",
    kind: SpanKind.SERVER,
    parentSpanContext: { spanId: PARENT },
    attributes: {
      "http.request.method": "POST",
      "http.route": "/order.json",
      "http.response.status_code": 200,
      "tillkit.code": 0,
    },
  });
  const names = telemetry.spans().map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["orders.insertOnce", "wallet.prepare"]));
  const spanIds = new Set(telemetry.spans().map((span) => span.spanContext().traceId));
  expect(spanIds).toEqual(new Set([TRACE]));
});

it("starts a trace for a request without one", async () => {
  const { surfaces, request } = await aHost();
  const reply = await instrumentSurface(surfaces.payments).handle(request("GET", "/payTools.json"));
  const server = telemetry.spans().at(-1);
  expect(server?.parentSpanContext).toBeUndefined();
  expect(reply.headers["x-trace-id"]).toBe(server?.spanContext().traceId);
});

it("keeps Tillkit's own trace ids without an SDK", async () => {
  removeTelemetry();
  const { surfaces, request } = await aHost();
  const reply = await instrumentSurface(surfaces.payments).handle(request("GET", "/payTools.json"));
  expect(reply.headers["x-trace-id"]).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
});

it("puts no parameter, secret or error message into a span", async () => {
  const cause = new Error("row of +8613800138000");
  const { surfaces, create } = await aHost((ports) => ({
    ...ports,
    orders: { ...ports.orders, insertOnce: () => errAsync({ name: "storage.unavailable", cause }) },
  }));
  const reply = await instrumentSurface(surfaces.payments).handle(create("private-biz-no"));
  assert(typeof reply.body === "string");
  expect(JSON.parse(reply.body)).toMatchObject({ code: 99998 });
  const spans = telemetry.spans();
  const failed = spans.find(({ name }) => name === "orders.insertOnce");
  expect(failed).toMatchObject({
    status: { code: SpanStatusCode.ERROR },
    attributes: { "error.type": "storage.unavailable" },
  });
  expect(spans.at(-1)?.attributes).toMatchObject({
    "tillkit.failure": "storage.unavailable",
    "tillkit.code": 99998,
  });
  const text = JSON.stringify(
    spans.map(({ name, attributes, events, status }) => [name, attributes, events, status]),
  );
  for (const secret of ["private-biz-no", "user-1", "One month", "13800138000", "sk_"]) {
    expect(text).not.toContain(secret);
  }
});

it("counts and measures the requests of every surface with labels from closed lists", async () => {
  const { surfaces, request } = await aHost();
  const [payments, notifications, downloads] = [
    instrumentSurface(surfaces.payments),
    instrumentSurface(surfaces.notifications),
    instrumentSurface(surfaces.metrics),
  ];
  await payments.handle(request("GET", "/payTools.json"));
  await payments.handle(request("GET", "/made-up-1"));
  await payments.handle(request("BREW", "/made-up-2"));
  await notifications.handle(request("POST", "/notify/WALLET_A/none/none"));
  await downloads.handle(request("GET", "/misc/v2/downloads-api"));
  const lines = await telemetry.metrics();
  const notify = "/notify/{payChannel}/{payToolId}/{orderRef}";
  expect(lines.filter((line) => line.startsWith("tillkit.requests"))).toEqual([
    'tillkit.requests{method="GET",route="/misc/v2/downloads-api",code="none",status="400"} 1',
    'tillkit.requests{method="GET",route="/payTools.json",code="0",status="200"} 1',
    'tillkit.requests{method="GET",route="unknown",code="10014",status="404"} 1',
    'tillkit.requests{method="OTHER",route="unknown",code="10014",status="404"} 1',
    `tillkit.requests{method="POST",route="${notify}",code="none",status="401"} 1`,
  ]);
  expect(lines).toContain('tillkit.request.duration{method="GET",route="/payTools.json"} count 1');
});

it.each([
  [200, SpanStatusCode.UNSET],
  [404, SpanStatusCode.UNSET],
  [429, SpanStatusCode.UNSET],
  [499, SpanStatusCode.UNSET],
  [500, SpanStatusCode.ERROR],
  [503, SpanStatusCode.ERROR],
])("marks the span of a reply with status %i with %i", async (status, code) => {
  const surface = {
    maxRequestBytes: 0,
    owns: () => true,
    handle: async () => ({ status, headers: {}, body: "", route: "/route" }),
  };
  const headers = headersIn({});
  const request = { method: "GET", path: "/route", query: "", headers, body: new Uint8Array() };
  await instrumentSurface(surface).handle(request);
  const attributes = { "http.response.status_code": status };
  expect(telemetry.spans()).toMatchObject([{ name: "GET /route", status: { code }, attributes }]);
});

it("adds the trace id to every reply", async () => {
  const { surfaces, request } = await aHost();
  for (const [surface, path] of [
    [surfaces.notifications, "/return/WALLET_B"],
    [surfaces.notifications, "/notify/WALLET_A/none/none"],
    [surfaces.metrics, "/misc/downloads-api"],
  ] as const) {
    const traced = request("GET", path, {}, { traceparent: `00-${TRACE}-${PARENT}-01` });
    const reply = await instrumentSurface(surface).handle(traced);
    expect(reply.headers["x-trace-id"]).toBe(TRACE);
  }
});

/** A surface that streams one text of this type, and then throws if `broken`. */
function streaming(type: string, broken = false): Surface {
  async function* texts() {
    yield "first";
    if (broken) throw new Error("row of +8613800138000");
  }
  const headers = { "content-type": type };
  return {
    maxRequestBytes: 0,
    owns: () => true,
    handle: async () => ({ status: 200, headers, body: texts(), route: "/stream" }),
  };
}

const streamRequest: HttpRequest = {
  method: "GET",
  path: "/stream",
  query: "",
  headers: headersIn({}),
  body: new Uint8Array(),
};

it("ends the span and the duration of a streamed reply with its stream", async () => {
  const { body } = await instrumentSurface(streaming("text/csv")).handle(streamRequest);
  expect(telemetry.spans()).toEqual([]);
  expect(await telemetry.metrics()).toEqual([]);
  if (!isStream(body)) throw new Error("The reply has no stream");
  for await (const text of body) expect(text).toBe("first");
  expect(telemetry.spans()).toMatchObject([{ name: "GET /stream", status: { code: SpanStatusCode.UNSET } }]);
  expect(await telemetry.metrics()).toContain(
    'tillkit.request.duration{method="GET",route="/stream"} count 1',
  );
});

it("ends the span of a stream that its client abandons, without an error", async () => {
  await discardStream((await instrumentSurface(streaming("text/csv")).handle(streamRequest)).body);
  expect(telemetry.spans()).toMatchObject([{ status: { code: SpanStatusCode.UNSET } }]);
});

it("marks the span of a stream that throws, without its message", async () => {
  const { body } = await instrumentSurface(streaming("text/csv", true)).handle(streamRequest);
  if (!isStream(body)) throw new Error("The reply has no stream");
  const texts = body[Symbol.asyncIterator]();
  await texts.next();
  await expect(texts.next()).rejects.toThrow("row of");
  const [span] = telemetry.spans();
  expect(span?.status).toEqual({ code: SpanStatusCode.ERROR });
  expect(span?.events).toEqual([]);
});

it("ends the span of an event stream when it opens", async () => {
  await instrumentSurface(streaming("text/event-stream")).handle(streamRequest);
  expect(telemetry.spans()).toHaveLength(1);
});
