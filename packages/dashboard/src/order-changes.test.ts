import { expectOk } from "@tillkit/contract-tests";
import { headersIn, type HttpReply } from "@tillkit/core/http";
import { type Operator, orThrow, parseInput } from "@tillkit/core";
import { closeOrder, closeOrderInput } from "@tillkit/core/operators";
import { aShop } from "@tillkit/memory";
import { expect, it, onTestFinished } from "vitest";
import { openDashboard } from "./testing/open-dashboard.js";

const ALIVE = "event: alive\ndata: {}\n\n";

/** Opens an event stream of two orders. */
async function aStream() {
  const shop = await aShop();
  onTestFinished(() => shop.end());
  const { ports } = shop;
  const { appId } = shop.app;
  const dashboard = openDashboard(ports);
  const { surface, create, signIn } = dashboard;
  await shop.placeOrder({ bizNo: "b-1" });
  await shop.placeOrder({ bizNo: "b-2" });
  await create("li", "support");
  const { cookie } = await signIn("li");
  const client = new AbortController();
  const close = async () => {
    const input = parseInput(closeOrderInput(ports.policy), { bizNo: "b-1", reason: "test", operator: "li" });
    await expectOk(closeOrder(ports, appId, orThrow(input)));
  };
  const both = ["b-1", "b-2"].map((bizNo) => ({ appId, bizNo }));
  const request = (signal: AbortSignal, orders: readonly object[] = both) => ({
    method: "GET",
    path: "/api/order-events",
    peer: "192.0.2.1",
    query: new URLSearchParams({ orders: JSON.stringify(orders) }).toString(),
    headers: headersIn({ cookie }),
    body: new Uint8Array(),
    client: signal,
  });
  const reply = await surface.handle(request(client.signal));
  return { ...dashboard, appId, request, reply, texts: textsOf(reply), client, close };
}

function textsOf({ body }: HttpReply): AsyncIterator<string> {
  if (typeof body === "string" || body instanceof Uint8Array) throw new TypeError("The reply is no stream.");
  return body[Symbol.asyncIterator]();
}

it("the stream writes an event when an order changes", async () => {
  const { reply, texts, close, appId } = await aStream();
  expect(reply).toMatchObject({ status: 200, headers: { "content-type": "text/event-stream" } });
  expect(reply.headers["content-security-policy"]).toContain("default-src 'none'");
  expect((await texts.next()).value).toBe(`retry: 2000\n${ALIVE}`);
  const next = texts.next();
  await close();
  expect((await next).value).toBe(`event: changed\ndata: ${JSON.stringify({ appId, bizNo: "b-1" })}\n\n`);
  await texts.return?.();
});

it("the stream ends when the client has disconnected", async () => {
  const { texts, client } = await aStream();
  await texts.next();
  const next = texts.next();
  client.abort();
  expect((await next).done).toBe(true);
});

it("the stream keeps the connection alive, and ends with the session", async () => {
  const { texts, ports } = await aStream();
  await texts.next();
  ports.clock.advance(15_000);
  expect((await texts.next()).value).toBe(ALIVE);
  ports.clock.advance(12 * 60 * 60_000);
  expect((await texts.next()).done).toBe(true);
});

it("the stream does not keep the session of an unattended page alive", async () => {
  const { texts, ports } = await aStream();
  await texts.next();
  for (let quarter = 1; quarter < 60 * 4; quarter += 1) {
    ports.clock.advance(15_000);
    expect((await texts.next()).value).toBe(ALIVE);
  }
  ports.clock.advance(15_000);
  expect((await texts.next()).done).toBe(true);
});

it("a stream is refused for an order that does not exist, and for too many orders", async () => {
  const { surface, request, appId } = await aStream();
  const { signal } = new AbortController();
  const orders = (count: number, bizNo: string) => Array.from({ length: count }, () => ({ appId, bizNo }));
  const open = async (asked: readonly object[]) => (await surface.handle(request(signal, asked))).status;
  expect(await open(orders(20, "b-1"))).toBe(200);
  expect(await open(orders(21, "b-1"))).toBe(400);
  expect(await open([])).toBe(400);
  expect(await open([...orders(1, "b-1"), ...orders(1, "b-3")])).toBe(404);
  expect(await open([{ appId: "app_other", bizNo: "b-1" }])).toBe(404);
});

it("the number of open streams is limited for each operator", async () => {
  const { surface, request, texts } = await aStream();
  await texts.next();
  const more = [];
  for (let nth = 0; nth < 4; nth += 1) {
    const opened = textsOf(await surface.handle(request(new AbortController().signal)));
    await opened.next();
    more.push(opened);
  }
  const refused = await surface.handle(request(new AbortController().signal));
  expect(refused).toMatchObject({ status: 429 });
  await more[0]?.return?.();
  expect((await surface.handle(request(new AbortController().signal))).status).toBe(200);
});

it("the stream ends when the operator is disabled", async () => {
  const { texts, ports } = await aStream();
  await texts.next();
  const audit = { at: 0, operator: "", action: "operator.disable", outcome: "done", subject: "" } as const;
  const entry = { ...audit, reason: "left", from: "host", traceId: "" };
  await expectOk(ports.operators.setDisabled("li", true, 1, entry));
  ports.clock.advance(15_000);
  expect((await texts.next()).done).toBe(true);
});

it("the number of streams is limited also if all requests come at the same time", async () => {
  const { surface, request } = await aStream();
  const asked = Array.from({ length: 40 }, () => surface.handle(request(new AbortController().signal)));
  const streams = (await Promise.all(asked)).filter(({ status }) => status === 200).map(textsOf);
  const opened = await Promise.all(streams.map((texts) => texts.next()));
  expect(opened.filter(({ done }) => done !== true)).toHaveLength(5);
});

it.each<readonly [string, Operator]>([
  ["no longer sees the app", { name: "li", role: "support", apps: ["app_other"] }],
  ["sees no app", { name: "li", role: "viewer", apps: [] }],
])("the stream ends when the operator %s", async (_, rights) => {
  const { texts, ports } = await aStream();
  await texts.next();
  const audit = { at: 0, operator: "", action: "operator.role", outcome: "done", subject: "" } as const;
  await expectOk(
    ports.operators.setRole(rights, 1, { ...audit, reason: "moved", from: "host", traceId: "" }),
  );
  ports.clock.advance(15_000);
  expect((await texts.next()).done).toBe(true);
});
