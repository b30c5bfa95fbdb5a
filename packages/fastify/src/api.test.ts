import { apiContract } from "@tillkit/contract-tests";
import { memoryPorts } from "@tillkit/memory";
import { describe } from "vitest";
import { surfacePlugin } from "./surface-plugin.js";
import { serve } from "./testing/serve.js";

describe("on Fastify", { tags: "slow" }, () => {
  apiContract(
    "Fastify, in memory",
    ({ payments, metrics, notifications }) =>
      serve(async (app) => {
        await app.register(surfacePlugin(payments), { prefix: "/pay" });
        await app.register(surfacePlugin(notifications), { prefix: "/wallets" });
        await app.register(surfacePlugin(metrics));
      }),
    async () => ({ port: memoryPorts(), close: async () => undefined }),
  );
});
