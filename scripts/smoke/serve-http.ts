// A program that serves the HTTP surface with Express and asks it what a caller asks first.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { createApp } from "@tillkit/core";
import { paymentsRoutes } from "@tillkit/core/http";
import { metricsRouter, notificationsRouter, paymentsRouter } from "@tillkit/express";
import { memoryPorts } from "@tillkit/memory";
import express from "express";

const ports = memoryPorts();
const { app, appSecret } = (await createApp(ports, { name: "Smoke" }))._unsafeUnwrap();
const host = express();
host.use("/pay", paymentsRouter(ports));
host.use("/wallets", notificationsRouter(ports));
host.use(metricsRouter(ports));

const server = createServer(host);
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = server.address();
assert.ok(typeof address === "object" && address !== null);
const origin = `http://127.0.0.1:${address.port}`;

try {
  const headers = { APP_ID: app.appId, APP_SECRET: appSecret };
  const tools = await fetch(`${origin}/pay/payTools.json`, { headers });
  assert.deepEqual(await tools.json(), { code: 0, msg: "success", data: [] });
  const refused = await fetch(`${origin}/pay/payTools.json`);
  assert.match(await refused.text(), /"code":1,/);
  const unknown = await fetch(`${origin}/misc/v2/downloads-api?id=nobody&start=2026-01-01&end=2026-01-02`);
  assert.equal(unknown.status, 403);
  assert.equal(paymentsRoutes.length, 8);
} finally {
  server.close();
}
console.log("serve-http: answered as the specification says");
