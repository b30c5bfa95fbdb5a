import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TillkitClientOptions } from "./options.js";
import {
  endlessBody,
  envelope,
  type Fault,
  type FaultServer,
  halfAnswer,
  reset,
  silence,
  slowBody,
  startFaultServer,
  text,
} from "./testing/fault-server.js";
import { TillkitClient } from "./tillkit-client.js";

const ORDER = { bizNo: "buy-1", amount: 600, paymentStatus: "PAID" };
const success = envelope({ code: 0, msg: "success", data: ORDER });
const failure = (code: number): Fault => envelope({ code, msg: "a text", traceId: "trace-1" });

const unhandled: unknown[] = [];
const keep = (reason: unknown) => void unhandled.push(reason);
let server: FaultServer | undefined;
beforeEach(() => void process.on("unhandledRejection", keep));
afterEach(async () => {
  await server?.close();
  server = undefined;
  process.off("unhandledRejection", keep);
  expect(unhandled).toEqual([]);
});

/** A timeout that only a fault without an end reaches, even on a busy machine. */
const PATIENCE = 60_000;

async function clientOf(
  faults: readonly [Fault, ...Fault[]],
  changes: Partial<TillkitClientOptions> = {},
): Promise<{ client: TillkitClient; pauses: number[] }> {
  server = await startFaultServer(...faults);
  const pauses: number[] = [];
  const options = {
    baseUrl: server.baseUrl,
    appId: "app_1",
    appSecret: "secret-1",
    timeout: PATIENCE,
    sleep: async (ms: number) => void pauses.push(ms),
    random: () => 0.5,
  };
  return { client: new TillkitClient({ ...options, ...changes }), pauses };
}

const get = (client: TillkitClient) => client.orders.get({ bizNo: "buy-1" });
const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

const FAULTS: readonly (readonly [string, Fault, string, boolean])[] = [
  ["silence", silence, "TillkitTimeoutError", true],
  ["a slow body", slowBody, "TillkitTimeoutError", true],
  ["a reset connection", reset, "TillkitConnectionError", true],
  ["half an answer", halfAnswer, "TillkitConnectionError", true],
  ["an endless body", endlessBody, "TillkitResponseError", true],
  ["500 with a page", text("<html>oops</html>", 500), "TillkitResponseError", true],
  ["502 without a body", text("", 502), "TillkitResponseError", true],
  ["404 of a proxy", text("not found", 404), "TillkitResponseError", false],
  ["a redirect", text("", 302, { location: "http://127.0.0.1:1/" }), "TillkitResponseError", false],
  ["JSON that is no envelope", text("[1]"), "TillkitResponseError", true],
  ["an envelope without a code", text('{"data":{}}'), "TillkitResponseError", true],
  ["a success without data", text('{"code":0,"msg":"success"}'), "TillkitResponseError", true],
  ["a success with another record", envelope({ code: 0, data: { bizNo: 1 } }), "TillkitResponseError", true],
  [
    "an amount that is no integer",
    envelope({ code: 0, data: { ...ORDER, amount: 0.5 } }),
    "TillkitResponseError",
    true,
  ],
  ["99998", failure(99998), "TillkitApiError", true],
  ["70007", failure(70007), "TillkitApiError", false],
  ["70007 with HTTP 500", envelope({ code: 70007, msg: "a text" }, 500), "TillkitApiError", false],
  ["1001", failure(1001), "TillkitApiError", false],
  ["a code that does not exist yet", failure(77777), "TillkitApiError", false],
];

describe.each(FAULTS)("%s", (_, fault, name, isRetryable) => {
  // Long enough for the request to arrive at the server on a busy machine.
  const changes = { timeout: name === "TillkitTimeoutError" ? 1_000 : PATIENCE };

  it("becomes one error after the right number of requests", async () => {
    const { client, pauses } = await clientOf([fault], changes);
    const attempts = isRetryable ? 4 : 1;
    expect(await caught(get(client))).toMatchObject({ name, isRetryable, attempts });
    expect(server?.requests()).toBe(attempts);
    expect(pauses).toEqual([150, 300, 600].slice(0, attempts - 1));
  });

  it("is retried until the service answers, if it is retryable", async () => {
    const { client } = await clientOf([fault, success], changes);
    const result = await get(client).catch((error: unknown) => error);
    if (isRetryable) expect(result).toEqual(ORDER);
    else expect(result).toMatchObject({ name });
  });

  it("is not retried for an SMS and a login", async () => {
    const { client } = await clientOf([fault], changes);
    expect(await caught(client.sessions.sendCode("+8613800138000"))).toMatchObject({ isRetryable: false });
    expect(server?.requests()).toBe(1);
    const logIn = { mobileNo: "+8613800138000", authCode: "123456" };
    expect(await caught(client.sessions.logIn(logIn))).toMatchObject({ isRetryable: false });
    expect(server?.requests()).toBe(2);
  });
});

it("keeps the code, the name and the trace id of an unknown failure", async () => {
  const { client } = await clientOf([
    envelope({ code: 77777, msg: "new" }, 400, { "x-trace-id": "trace-7" }),
  ]);
  const error = await caught(get(client));
  expect(error).toMatchObject({ code: 77777, failure: "unknown", status: 400, traceId: "trace-7" });
});

it("rejects if no server listens", async () => {
  const { client } = await clientOf([success], { retries: 0 });
  await server?.close();
  server = undefined;
  expect(await caught(get(client))).toMatchObject({ name: "TillkitConnectionError", attempts: 1 });
});

it("waits as long as the service asks, and gives up if the pause is too long", async () => {
  const busy = (seconds: string) => envelope({ code: 99998, msg: "busy" }, 503, { "retry-after": seconds });
  const { client, pauses } = await clientOf([busy("3"), success]);
  expect(await get(client)).toEqual(ORDER);
  expect(pauses).toEqual([3_000]);
  await server?.close();
  const other = await clientOf([busy("60")]);
  expect(await caught(get(other.client))).toMatchObject({ retryAfter: 60_000, attempts: 1 });
});

it("waits until the date that the service names", async () => {
  const times = { date: "Fri, 27 Nov 2026 08:00:00 GMT", "retry-after": "Fri, 27 Nov 2026 08:00:04 GMT" };
  const { client, pauses } = await clientOf([envelope({ code: 99998, msg: "busy" }, 503, times), success]);
  expect(await get(client)).toEqual(ORDER);
  expect(pauses).toEqual([4_000]);
});

it.each([301, 302, 303, 307, 308])("sends nothing to the address of a redirect: %i", async (status) => {
  const elsewhere = await startFaultServer(success);
  const { client } = await clientOf([text("", status, { location: `${elsewhere.baseUrl}/detail.json` })]);
  const day = { id: "c", start: "2026-11-01", end: "2026-11-01" };
  const logIn = { mobileNo: "+8613800138000", authCode: "123456" };
  for (const failed of [get(client), client.downloads.get(day), client.sessions.logIn(logIn)])
    expect(await caught(failed)).toMatchObject({ name: "TillkitResponseError", status, attempts: 1 });
  expect([server?.requests(), elsewhere.requests()]).toEqual([3, 0]);
  await elsewhere.close();
});

it("hides a secret that a reply repeats", async () => {
  const report = { result: "error", errorCode: "X secret-1", responseBody: "secret-1", resetAt: "secret-1" };
  const faults = [
    envelope({ code: 10001, msg: "APP_SECRET: secret-1" }, 200, { "x-trace-id": "t-secret-1" }),
    envelope({ data: report }, 400),
    text("secret-1", 400),
  ];
  for (const fault of faults) {
    const { client } = await clientOf([fault], { retries: 0 });
    const day = { id: "c", start: "2026-11-01", end: "2026-11-01" };
    for (const failed of [get(client), client.downloads.get(day)]) {
      const error = await caught(failed);
      expect(error).toBeInstanceOf(Error);
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("secret-1");
    }
    await server?.close();
  }
});

it("waits as long as a proxy asks", async () => {
  const { client, pauses } = await clientOf([text("busy", 503, { "retry-after": "2" }), success]);
  expect(await get(client)).toEqual(ORDER);
  expect(pauses).toEqual([2_000]);
});

it("respects the time limit of the whole call, in a request and before a pause", async () => {
  const silent = await clientOf([silence], { timeout: 60_000, totalTimeout: 50 });
  expect(await caught(get(silent.client))).toMatchObject({ name: "TillkitTimeoutError", attempts: 1 });
  expect(silent.pauses).toEqual([]);
  await server?.close();
  const busy = envelope({ code: 99998, msg: "busy" }, 503, { "retry-after": "9" });
  const paused = await clientOf([busy], { totalTimeout: 8_000 });
  expect(await caught(get(paused.client))).toMatchObject({ code: 99998, attempts: 1 });
  expect(server?.requests()).toBe(1);
});

it("ends when the caller aborts: before, during and between requests", async () => {
  const { client } = await clientOf([silence], { timeout: 10_000 });
  const before = AbortSignal.abort();
  expect(await caught(client.payTools.list({ signal: before }))).toMatchObject({ name: "AbortError" });
  expect(server?.requests()).toBe(0);
  const during = new AbortController();
  const running = caught(client.payTools.list({ signal: during.signal }));
  await expect.poll(() => server?.requests()).toBe(1);
  during.abort();
  expect(await running).toMatchObject({ name: "AbortError", isRetryable: false });
  await server?.close();
  const between = new AbortController();
  const paused = await clientOf([failure(99998)], { sleep: async () => between.abort() });
  expect(await caught(paused.client.payTools.list({ signal: between.signal }))).toMatchObject({
    name: "AbortError",
    attempts: 1,
  });
  expect(server?.requests()).toBe(1);
});

it("calls the hooks with what happened, without parameters and credentials", async () => {
  const seen: unknown[] = [];
  const note = (name: string) => (event: object) => void seen.push({ name, ...event });
  const hooks = { onRequest: note("request"), onResponse: note("response"), onRetry: note("retry") };
  const { client } = await clientOf([failure(99998), success], { hooks });
  await client.orders.get({ bizNo: "buy-1", customerIdentity: "customer-7" });
  expect(seen).toMatchObject([
    { name: "request", operation: "orders.get", method: "GET", path: "/detail.json", attempt: 1 },
    { name: "response", attempt: 1, status: 200, code: 99998 },
    { name: "retry", attempt: 1, delayMs: 150 },
    { name: "request", attempt: 2 },
    { name: "response", attempt: 2, code: 0 },
  ]);
  expect(JSON.stringify(seen)).not.toMatch(/secret-1|customer-7|buy-1/);
});

it("reports each failed call to onError once", async () => {
  const seen: unknown[] = [];
  const { client } = await clientOf([failure(99998)], { hooks: { onError: (event) => seen.push(event) } });
  const error = await caught(get(client));
  expect(seen).toEqual([{ operation: "orders.get", method: "GET", path: "/detail.json", attempt: 4, error }]);
  const between = new AbortController();
  const hooks = { onError: (event: object) => seen.push(event), onRetry: () => between.abort() };
  await server?.close();
  const aborting = await clientOf([failure(99998)], { hooks });
  expect(await caught(aborting.client.payTools.list({ signal: between.signal }))).toMatchObject({
    name: "AbortError",
  });
  expect(seen).toMatchObject([{}, { attempt: 1, error: { name: "AbortError" } }]);
});

it("continues if a hook throws", async () => {
  const hooks = {
    onRequest: () => {
      throw new Error("the log is full");
    },
  };
  const { client } = await clientOf([success], { hooks });
  expect(await get(client)).toEqual(ORDER);
});
