import { afterEach, describe, expect, it } from "vitest";
import { policyWith } from "../policy.js";
import type { Ports } from "../ports.js";
import type { Notice } from "../shared/observer.js";
import { stub } from "../testing/stubs.js";
import { bounded } from "./bounded.js";
import { metricsSurface } from "./metrics/surface.js";
import { notificationsSurface } from "./notifications/surface.js";
import { paymentsSurface } from "./payments/surface.js";
import type { HttpReply, HttpRequest, RefusingSurface } from "./request.js";

const notices: Notice[] = [];
afterEach(() => {
  notices.splice(0);
});

/** No store is there: a refusal that looked something up would fail. */
function portsWith(statusMode: "always-200" | "standard"): Ports {
  const answer = (taken: boolean) => ({
    status: taken ? 200 : 401,
    contentType: "application/json",
    body: taken ? "{}" : `{"code":"FAIL"}`,
  });
  return stub<Ports>({
    clock: { now: () => 0, sleep: async () => undefined },
    random: { bytes: (count) => new Uint8Array(count).fill(0xab) },
    observer: { notice: (notice) => notices.push(notice) },
    policy: policyWith({ statusMode }),
    wallets: { WALLET_A: stub({ answer }), WALLET_B: stub({ answer }) },
  });
}

const TRACE_ID = "ab".repeat(16);

function requestOf(method: string, path: string, changes: Partial<HttpRequest> = {}): HttpRequest {
  return { method, path, query: "", headers: new Headers(), body: new Uint8Array(), ...changes };
}

/** What a surface answers while its only place is taken by a request that hangs, and nobody may wait. */
async function refusalOf(
  open: (ports: Ports) => RefusingSurface,
  request: HttpRequest,
  statusMode: "always-200" | "standard" = "always-200",
): Promise<HttpReply> {
  const ports = portsWith(statusMode);
  let hanging = true;
  const surface = open(ports);
  const handle = (one: HttpRequest): Promise<HttpReply> =>
    hanging ? new Promise(() => undefined) : surface.handle(one);
  const full = bounded(ports, { ...surface, handle }, { atOnce: 1, waiting: 0 });
  void full.handle(request);
  hanging = false;
  return full.handle(request);
}

describe("a surface that is full", () => {
  it("answers payments with 99998, a trace id and Retry-After, and tells the observer", async () => {
    const reply = await refusalOf(paymentsSurface, requestOf("POST", "/order.json"));
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({ "retry-after": "1", "x-trace-id": TRACE_ID });
    expect(JSON.parse(reply.body)).toEqual({
      code: 99998,
      msg: "Temporarily unavailable; please retry",
      traceId: TRACE_ID,
    });
    expect(notices).toMatchObject([
      { type: "request.refused", surface: "payments" },
      { type: "request.answered", path: "/order.json", traceId: TRACE_ID, failure: "storage.unavailable" },
    ]);
  });

  it("answers payments with 503 in the standard mode, in the caller's language", async () => {
    const request = requestOf("GET", "/nowhere", { headers: new Headers({ "accept-language": "zh-CN" }) });
    const reply = await refusalOf(paymentsSurface, request, "standard");
    expect(reply.status).toBe(503);
    expect(JSON.parse(reply.body)).toMatchObject({ code: 99998, msg: "服务暂时不可用，请重试" });
  });

  it("answers downloads with LIMIT_CHECK_FAILED: v2 with 500 and Retry-After, legacy with 200", async () => {
    const v2 = await refusalOf(metricsSurface, requestOf("GET", "/misc/v2/downloads-api"));
    expect(v2.status).toBe(500);
    expect(v2.headers).toMatchObject({ "retry-after": "1", "x-trace-id": TRACE_ID });
    const legacy = await refusalOf(metricsSurface, requestOf("GET", "/misc/downloads-api"));
    expect(legacy.status).toBe(200);
    expect(legacy.headers).toMatchObject({ "x-trace-id": TRACE_ID });
    expect(legacy.headers).not.toHaveProperty("retry-after");
    for (const { body } of [v2, legacy]) {
      expect(JSON.parse(body)).toMatchObject({ data: { result: "error", errorCode: "LIMIT_CHECK_FAILED" } });
    }
    expect(notices).toEqual(Array(2).fill({ type: "request.refused", surface: "metrics" }));
  });

  it.each(["WALLET_A", "WALLET_B"])("makes %s notify again", async (payChannel) => {
    const reply = await refusalOf(notificationsSurface, requestOf("POST", `/notify/${payChannel}/tool-1/Yg`));
    expect(reply).toEqual({
      status: 503,
      headers: { "content-type": "application/json", "retry-after": "1", "x-trace-id": TRACE_ID },
      body: `{"code":"FAIL"}`,
    });
  });

  it("shows a customer who returns from a wallet the page all the same", async () => {
    expect(await refusalOf(notificationsSurface, requestOf("GET", "/return/WALLET_B"))).toMatchObject({
      status: 200,
    });
  });
});

describe("a bounded surface", () => {
  it("gives a place back when its request breaks", async () => {
    const ports = portsWith("always-200");
    const handle = () => Promise.reject(new Error("broken"));
    const surface = bounded(ports, { ...paymentsSurface(ports), handle }, { atOnce: 1, waiting: 0 });
    for (const _ of [1, 2, 3]) {
      await expect(surface.handle(requestOf("GET", "/payTools.json"))).rejects.toThrow("broken");
    }
    expect(notices).toEqual([]);
  });

  it.each([
    [
      "payments by APP_ID",
      paymentsSurface,
      requestOf("GET", "/x", { headers: new Headers({ app_id: "app_1" }) }),
      "app_1",
    ],
    ["downloads by id", metricsSurface, requestOf("GET", "/x", { query: "id=c1&start=x" }), "c1"],
    ["notifications by pay tool", notificationsSurface, requestOf("POST", "/notify/WALLET_A/t1/Yg"), "t1"],
  ])("tells the senders of %s", (_name, open, request, sender) => {
    expect(open(portsWith("always-200")).senderOf(request)).toBe(sender);
  });

  it.each([{ atOnce: 0 }, { atOnce: 1.5 }, { waiting: -1 }, { waitMs: Number.NaN }])(
    "refuses the bounds %j",
    (bounds) => {
      const ports = portsWith("always-200");
      expect(() => bounded(ports, paymentsSurface(ports), bounds)).toThrow(
        "Bounds are whole numbers: atOnce at least 1, waiting and waitMs at least 0.",
      );
    },
  );
});
