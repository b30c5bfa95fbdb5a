import { http2BindingContract, http2MessagesContract, type OpenBinding } from "@tillkit/contract-tests";
import { memoryPorts } from "@tillkit/memory";
import Fastify from "fastify";
import { surfacePlugin } from "./surface-plugin.js";

const openHttp2: OpenBinding = async ({ payments, metrics, notifications }) => {
  const app = Fastify({ http2: true, forceCloseConnections: true });
  await app.register(surfacePlugin(payments), { prefix: "/pay" });
  await app.register(surfacePlugin(notifications), { prefix: "/wallets" });
  await app.register(surfacePlugin(metrics));
  const baseUrl = await app.listen({ port: 0, host: "127.0.0.1" });
  return { baseUrl, close: () => app.close() };
};

http2BindingContract("Fastify", openHttp2);
http2MessagesContract("Fastify, in memory", openHttp2, async () => ({
  port: memoryPorts(),
  close: async () => undefined,
}));
