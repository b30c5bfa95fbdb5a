// Serves the HTTP surfaces through each binding and sends a caller's first request.
import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import { createApp, orThrow } from "@tillkit/core";
import { limitedSurfaces, paymentsRoutes } from "@tillkit/core/http";
import { metricsRouter, notificationsRouter, paymentsRouter } from "@tillkit/express";
import { metricsPlugin, notificationsPlugin, paymentsPlugin } from "@tillkit/fastify";
import { fetchHandler } from "@tillkit/fetch";
import { memoryPorts } from "@tillkit/memory";
import { nodeListener } from "@tillkit/node";
import express from "express";
import Fastify from "fastify";

const ports = memoryPorts();
const { app, appSecret } = await orThrow(createApp(ports, { name: "Smoke" }));
const { payments, notifications, metrics } = limitedSurfaces(ports);
const mounts = { "/pay": payments, "/wallets": notifications, "/": metrics };
const host = express();
host.use("/pay", paymentsRouter(ports));
host.use("/wallets", notificationsRouter(ports));
host.use(metricsRouter(ports));

await overSockets(host);
await overSockets(nodeListener(mounts));
const fastify = Fastify();
await fastify.register(paymentsPlugin(ports), { prefix: "/pay" });
await fastify.register(notificationsPlugin(ports), { prefix: "/wallets" });
await fastify.register(metricsPlugin(ports));
const fastifyOrigin = await fastify.listen({ port: 0, host: "127.0.0.1" });
await ask((path, headers = {}) => fetch(`${fastifyOrigin}${path}`, { headers }));
await fastify.close();
const handler = fetchHandler(mounts);
await ask((path, headers = {}) => handler(new Request(`http://localhost${path}`, { headers })));
console.log("serve-http: four bindings answered as the specification says");

async function overSockets(listener: RequestListener): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const origin = `http://127.0.0.1:${address.port}`;
  try {
    await ask((path, headers = {}) => fetch(`${origin}${path}`, { headers }));
  } finally {
    server.close();
  }
}

async function ask(
  get: (path: string, headers?: Record<string, string>) => Promise<Response>,
): Promise<void> {
  const tools = await get("/pay/payTools.json", { APP_ID: app.appId, APP_SECRET: appSecret });
  assert.deepEqual(await tools.json(), { code: 0, msg: "success", data: [] });
  assert.match(await (await get("/pay/payTools.json")).text(), /"code":1,/);
  const unknown = await get("/misc/v2/downloads-api?id=nobody&start=2026-01-01&end=2026-01-02");
  assert.equal(unknown.status, 403);
  assert.equal((await get("/wallets/return/WALLET_B")).status, 200);
  assert.equal((await get("/elsewhere")).status, 404);
  assert.equal(paymentsRoutes.length, 8);
}
