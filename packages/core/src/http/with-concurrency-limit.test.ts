import { okAsync, ResultAsync } from "neverthrow";
import { afterEach, describe, expect, it } from "vitest";
import { policyWith } from "../policy.js";
import type { Ports } from "../ports.js";
import type { ServiceEvent } from "../events/observer.js";
import type { App } from "../apps/app.js";
import { app, stub } from "../testing/stubs.js";
import { discardStream } from "./discard-stream.js";
import { isStream } from "./is-stream.js";
import { withConcurrencyLimit } from "./with-concurrency-limit.js";
import { metricsSurface } from "./metrics/surface.js";
import { notificationsSurface } from "./notifications/surface.js";
import { paymentsSurface } from "./payments/surface.js";
import type { HttpReply, HttpRequest, LimitableSurface } from "./request.js";

const serviceEvents: ServiceEvent[] = [];
afterEach(() => {
  serviceEvents.splice(0);
});

const NEVER = new Promise<never>(() => undefined);

/** Ports without stores: a rejection that reads from storage would fail. */
function portsWith(statusMode: "always-200" | "standard"): Ports {
  const answer = (taken: boolean) => ({
    status: taken ? 200 : 401,
    contentType: "application/json",
    body: taken ? "{}" : `{"code":"FAIL"}`,
  });
  return stub<Ports>({
    clock: { now: () => 0, sleep: () => NEVER },
    random: { bytes: (count) => new Uint8Array(count).fill(0xab) },
    digest: { sha256: (text) => `hash of ${text}`, keyed: (text) => [text] },
    apps: stub({ getCached: () => callersApp }),
    observer: { onEvent: (event) => serviceEvents.push(event) },
    policy: policyWith({ statusMode }),
    wallets: { WALLET_A: stub({ answer }), WALLET_B: stub({ answer }) },
  });
}

const TRACE_ID = "ab".repeat(16);

function requestOf(method: string, path: string, changes: Partial<HttpRequest> = {}): HttpRequest {
  const headers = new Headers({ app_id: "app_1", app_secret: "secret" });
  return { method, path, query: "", headers, body: new Uint8Array(), peer: "192.0.2.1", ...changes };
}

/** The app of every request, cached by the store. Its secret is "secret". */
const callersApp: App = { ...app, secrets: [{ hash: "hash of secret", gmtCreate: 0 }] };

/** Returns the reply while the only slot is in use and no request may wait. */
async function rejectionOf(
  open: (ports: Ports) => LimitableSurface<string>,
  request: HttpRequest,
  statusMode: "always-200" | "standard" = "always-200",
): Promise<HttpReply<string>> {
  const ports = portsWith(statusMode);
  const surface = open(ports);
  const full = withConcurrencyLimit(
    ports,
    { ...surface, admit: hanging(surface) },
    { maxConcurrent: 1, maxQueued: 0 },
  );
  void full.handle(request);
  return full.handle(request);
}

/** Admits requests as `surface` does, but no request ever finishes. */
function hanging(surface: LimitableSurface<string>): LimitableSurface<string>["admit"] {
  return (request) => {
    const admission = surface.admit(request);
    const never = () => new Promise<never>(() => undefined);
    if (admission.kind === "answered") return admission;
    return admission.kind === "trusted"
      ? { ...admission, answer: never }
      : { ...admission, authenticate: never };
  };
}

describe("a surface whose limits are reached", () => {
  it("answers payments with 99998, a trace id and Retry-After, and emits an event", async () => {
    const reply = await rejectionOf(paymentsSurface, requestOf("POST", "/order.json"));
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({ "retry-after": "1", "x-trace-id": TRACE_ID });
    expect(JSON.parse(reply.body)).toEqual({
      code: 99998,
      msg: "Temporarily unavailable; please retry",
      traceId: TRACE_ID,
    });
    expect(serviceEvents).toMatchObject([
      { type: "request.refused", surface: "payments" },
      {
        type: "request.answered",
        path: "/order.json",
        traceId: TRACE_ID,
        appId: "app_1",
        failure: "overload",
      },
    ]);
  });

  it("answers payments with 503 in the standard mode, in the caller's language", async () => {
    const headers = new Headers({ app_id: "app_1", app_secret: "wrong", "accept-language": "zh-CN" });
    const request = requestOf("GET", "/payTools.json", { headers });
    const reply = await rejectionOf(paymentsSurface, request, "standard");
    expect(reply.status).toBe(503);
    expect(JSON.parse(reply.body)).toMatchObject({ code: 99998, msg: "服务暂时不可用，请稍后重试" });
  });

  it("answers downloads with LIMIT_CHECK_FAILED: v2 with 500 and Retry-After, legacy with 200", async () => {
    const v2 = await rejectionOf(metricsSurface, requestOf("GET", "/misc/v2/downloads-api"));
    expect(v2.status).toBe(500);
    expect(v2.headers).toMatchObject({ "retry-after": "1", "x-trace-id": TRACE_ID });
    const legacy = await rejectionOf(metricsSurface, requestOf("GET", "/misc/downloads-api"));
    expect(legacy.status).toBe(200);
    expect(legacy.headers).toMatchObject({ "x-trace-id": TRACE_ID });
    expect(legacy.headers).not.toHaveProperty("retry-after");
    for (const { body } of [v2, legacy]) {
      expect(JSON.parse(body)).toMatchObject({ data: { result: "error", errorCode: "LIMIT_CHECK_FAILED" } });
    }
    expect(serviceEvents).toEqual(Array(2).fill({ type: "request.refused", surface: "metrics" }));
  });

  it.each(["WALLET_A", "WALLET_B"])("makes %s repeat the notification", async (payChannel) => {
    const reply = await rejectionOf(
      notificationsSurface,
      requestOf("POST", `/notify/${payChannel}/tool-1/Yg`),
    );
    expect(reply).toEqual({
      status: 503,
      headers: { "content-type": "application/json", "retry-after": "1", "x-trace-id": TRACE_ID },
      body: `{"code":"FAIL"}`,
      route: "/notify/{payChannel}/{payToolId}/{orderRef}",
    });
  });

  it("still shows the return page to a customer", async () => {
    expect(await rejectionOf(notificationsSurface, requestOf("GET", "/return/WALLET_B"))).toMatchObject({
      status: 200,
    });
  });
});

describe("a limited surface", () => {
  /** A surface with one slot, whose requests get a stream of this type. */
  function streaming(type: string) {
    const ports = portsWith("always-200");
    async function* texts() {
      yield "first";
    }
    const answer = async () => ({ status: 200, headers: { "content-type": type }, body: texts() });
    const reject = () => ({ status: 503, headers: {}, body: "" });
    const admit = () => ({ kind: "trusted", sender: "app_1", answer, reject }) as const;
    const surface: LimitableSurface = { ...paymentsSurface(ports), handle: answer, admit };
    const limited = withConcurrencyLimit(ports, surface, { maxConcurrent: 1, maxQueued: 0 });
    return () => limited.handle(requestOf("GET", "/export.csv"));
  }

  it("keeps the slot of a streamed reply until the stream has ended", async () => {
    const ask = streaming("text/csv");
    const { body } = await ask();
    expect(await ask()).toMatchObject({ status: 503 });
    if (!isStream(body)) throw new Error("The reply has no stream");
    for await (const text of body) {
      expect(text).toBe("first");
      expect(await ask()).toMatchObject({ status: 503 });
    }
    expect(await ask()).toMatchObject({ status: 200 });
  });

  it("releases the slot of a stream that is discarded", async () => {
    const ask = streaming("text/csv");
    await discardStream((await ask()).body);
    expect(await ask()).toMatchObject({ status: 200 });
  });

  it("releases the slot of an event stream when it opens", async () => {
    const ask = streaming("text/event-stream");
    for (const _ of [1, 2, 3]) expect(await ask()).toMatchObject({ status: 200 });
  });

  it("releases the slot of a request that throws", async () => {
    const ports = portsWith("always-200");
    const broken = () => Promise.reject(new Error("broken"));
    const reject = () => ({ status: 503, headers: {}, body: "" });
    for (const admission of [
      { kind: "trusted", sender: "app_1", answer: broken, reject },
      { kind: "untrusted", authenticate: broken, reject },
    ] as const) {
      const admit = () => admission;
      const surface = withConcurrencyLimit(
        ports,
        { ...paymentsSurface(ports), admit },
        { maxConcurrent: 1, maxQueued: 0 },
      );
      for (const _ of [1, 2, 3]) {
        await expect(surface.handle(requestOf("GET", "/payTools.json"))).rejects.toThrow("broken");
      }
    }
    expect(serviceEvents).toEqual([]);
  });

  it.each([
    ["payments", paymentsSurface, "/notify/WALLET_A/tool-1/Yg"],
    ["notifications", notificationsSurface, "/order.json"],
    ["downloads", metricsSurface, "/misc/notify"],
  ])("answers 404 for a wrong path of %s, even if its limits are reached", async (_name, open, path) => {
    const ports = portsWith("always-200");
    const surface = open(ports);
    const full = withConcurrencyLimit(
      ports,
      { ...surface, admit: hanging(surface) },
      { maxConcurrent: 1, maxQueued: 0 },
    );
    const requests = ["/order.json", "/notify/WALLET_A/tool-1/Yg", "/misc/downloads-api"];
    for (const one of requests) void full.handle(requestOf("POST", one));
    expect(await full.handle(requestOf("POST", path))).toMatchObject({ status: 404 });
  });

  it("shares the slots of untrusted requests by address, not by claimed identity", async () => {
    const ports = portsWith("always-200");
    const looked: string[] = [];
    const find = (id: string) => {
      looked.push(id);
      return id === "genuine" ? okAsync(undefined) : new ResultAsync<undefined, never>(NEVER);
    };
    const payTools = stub<Ports["payTools"]>({ find });
    const surface = withConcurrencyLimit({ ...ports }, notificationsSurface({ ...ports, payTools }), {
      maxConcurrent: 2,
      maxQueued: 2,
    });
    const notify = (tool: string, peer: string) =>
      surface.handle(requestOf("POST", `/notify/WALLET_A/${tool}/Yg`, { peer }));
    const flood = Array.from({ length: 20 }, (_, index) => notify(`tool-${index}`, "192.0.2.66"));
    expect(await Promise.race(flood)).toMatchObject({ status: 503 });
    expect(looked).toEqual(["tool-0", "tool-1"]);
    // One address fills the queue, so its newest request is rejected in favour of another address.
    const genuine = notify("genuine", "192.0.2.1");
    const refused = await Promise.race([genuine, flood[2], flood[3]]);
    expect(refused).toBe(await flood[3]);
  });

  it("treats all addresses of an IPv6 network as one sender", async () => {
    const ports = portsWith("always-200");
    const stuck = (): ResultAsync<undefined, never> => new ResultAsync(NEVER);
    const payTools = stub<Ports["payTools"]>({ find: stuck });
    const surface = withConcurrencyLimit(ports, notificationsSurface({ ...ports, payTools }), {
      maxConcurrent: 1,
      maxQueued: 2,
    });
    const notify = (peer: string) => surface.handle(requestOf("POST", "/notify/WALLET_A/tool/Yg", { peer }));
    const flood = Array.from({ length: 9 }, (_, index) => notify(`2001:db8::${index}`));
    const settled = flood.map((one, index) => one.then(() => index));
    expect(await Promise.race(settled)).toBe(3);
    void notify("2001:db8:1::1");
    expect(await Promise.race(settled.slice(0, 3))).toBe(2);
  });

  it.each([
    { maxConcurrent: 0 },
    { maxConcurrent: 1.5 },
    { maxQueued: -1 },
    { queueTimeoutMs: Number.NaN },
    { maxConcurrent: 1_000_001 },
    { maxQueued: 1_000_001 },
    { queueTimeoutMs: 3_600_001 },
  ])("rejects the limits %j", (limits) => {
    const ports = portsWith("always-200");
    expect(() => withConcurrencyLimit(ports, paymentsSurface(ports), limits)).toThrow(
      "Concurrency limits are whole numbers: maxConcurrent from 1 to 1000000, maxQueued from 0 to 1000000, queueTimeoutMs from 0 to 3600000.",
    );
  });
});
