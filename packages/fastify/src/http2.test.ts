import { http2BindingContract } from "@tillkit/contract-tests";
import Fastify from "fastify";
import { surfacePlugin } from "./surface-plugin.js";

http2BindingContract("Fastify", async ({ payments, metrics, notifications }) => {
  const app = Fastify({ http2: true, forceCloseConnections: true });
  await app.register(surfacePlugin(payments), { prefix: "/pay" });
  await app.register(surfacePlugin(notifications), { prefix: "/wallets" });
  await app.register(surfacePlugin(metrics));
  const baseUrl = await app.listen({ port: 0, host: "127.0.0.1" });
  return { baseUrl, close: () => app.close() };
});
