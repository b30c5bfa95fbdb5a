// A complete host on stores in memory: the ports, the background tasks and a server of node:http.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { createTillkit } from "@tillkit/host";
import { memoryPorts } from "@tillkit/memory";
import { nodeListener } from "@tillkit/node";
import { serverLimits } from "@tillkit/runtime";
import { demoSurfaces } from "../../../../examples/frameworks/src/demo-surfaces.js";

const { wallets, clock, ...stores } = memoryPorts();
const keyring = { peppers: [{ version: 1, key: new Uint8Array(32) }] };
const options = { stores, wallets, clock, keyring, publicUrl: "https://pay.example" };
const tillkit = createTillkit(options);
tillkit.start();
assert.equal((await tillkit.health()).ready, true);
const surfaces = await demoSurfaces({ ...tillkit.ports, wallets });
const { payments, notifications, metrics } = surfaces;
const listener = nodeListener({ "/pay": payments, "/wallets": notifications, "/": metrics });
const server = createServer(serverLimits, listener).listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  console.log(`listening http://127.0.0.1:${port} `);
});
process.once("SIGTERM", () => void tillkit.stop().then(() => process.exit()));
