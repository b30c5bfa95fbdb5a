import { gzipSync } from "node:zlib";
import { createApp } from "@tillkit/core";
import { limitedSurfaces, type HttpRequest } from "@tillkit/core/http";
import { expectOk } from "@tillkit/contract-tests";
import { memoryPorts } from "@tillkit/memory";
import { Hono } from "hono";
import { compress } from "hono/compress";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { fetchHandler } from "./fetch-handler.js";
import { serve } from "./testing/serve.js";

const OWN_PAGE = "the host's own page";

/** The two ways to combine Tillkit with a Hono application: inside it, and in front of it. */
const WAYS = {
  "as handlers of its routes": (ports: ReturnType<typeof memoryPorts>) => {
    const { payments, notifications, metrics } = limitedSurfaces(ports);
    const handler = fetchHandler({ "/pay": payments, "/wallets": notifications, "/": metrics });
    const app = new Hono();
    app.all("/pay/*", ({ req }) => handler(req.raw));
    app.all("/wallets/*", ({ req }) => handler(req.raw));
    app.all("/misc/*", ({ req }) => handler(req.raw));
    app.get("/hello", ({ text }) => text(OWN_PAGE));
    return app.fetch;
  },
  "with `otherwise`": (ports: ReturnType<typeof memoryPorts>) => {
    const { payments, notifications, metrics } = limitedSurfaces(ports);
    const app = new Hono().get("/hello", ({ text }) => text(OWN_PAGE));
    const mounts = { "/pay": payments, "/wallets": notifications, "/": metrics };
    return fetchHandler(mounts, { otherwise: app.fetch });
  },
} as const;

describe.each(Object.entries(WAYS))("Hono, %s", (_way, open) => {
  it("answers payments, downloads, a returning customer, and a route of the application", async () => {
    const ports = memoryPorts();
    const { app, appSecret } = await expectOk(createApp(ports, { name: "Hono" }));
    const host = await serve(open(ports));
    onTestFinished(() => host.close());
    const ask = async (path: string, init: RequestInit = {}) => fetch(`${host.baseUrl}${path}`, init);
    const headers = { APP_ID: app.appId, APP_SECRET: appSecret };
    expect(await (await ask("/pay/payTools.json", { headers })).json()).toMatchObject({ code: 0, data: [] });
    const tooLarge = { method: "POST", headers, body: " ".repeat(ports.policy.maxRequestBytes + 1) };
    expect(await (await ask("/pay/order.json", tooLarge)).json()).toMatchObject({ code: 10011 });
    expect((await ask("/misc/v2/downloads-api")).status).toBe(400);
    expect((await ask("/wallets/return/WALLET_B")).status).toBe(200);
    expect(await (await ask("/hello")).text()).toBe(OWN_PAGE);
    expect((await ask("/elsewhere")).status).toBe(404);
  });
});

it("does not compress a compressed reply again behind Hono's compressing middleware", async () => {
  const text = "a report ".repeat(1_000);
  const headers = { "content-type": "text/plain", "content-encoding": "gzip", vary: "accept-encoding" };
  const handle = async () => ({ status: 200, headers, body: gzipSync(text) });
  const handler = fetchHandler({ "/": { maxRequestBytes: 0, owns: () => true, handle } });
  const app = new Hono();
  app.use(compress({ threshold: 0 }));
  app.all("*", ({ req }) => handler(req.raw));
  const host = await serve(app.fetch);
  onTestFinished(() => host.close());
  const reply = await fetch(host.baseUrl, { headers: { "accept-encoding": "gzip" } });
  expect(reply.headers.get("content-encoding")).toBe("gzip");
  expect(await reply.text()).toBe(text);
});

it("detects a client that disconnected before the signal was requested, on @hono/node-server", async () => {
  const given: HttpRequest[] = [];
  const handle = (request: HttpRequest) => {
    given.push(request);
    return new Promise<never>(() => undefined);
  };
  const handler = fetchHandler({ "/": { maxRequestBytes: 0, owns: () => true, handle } });
  const closed = vi.fn();
  const host = await serve((request, { outgoing }) => {
    outgoing.once("close", closed);
    return handler(request);
  });
  onTestFinished(() => host.close());
  const leaving = new AbortController();
  const pending = fetch(host.baseUrl, { signal: leaving.signal });
  await expect.poll(() => given).toHaveLength(1);
  leaving.abort();
  await expect(pending).rejects.toThrow();
  await expect.poll(() => closed.mock.calls).toHaveLength(1);
  expect(given[0]?.client?.aborted).toBe(true);
});
