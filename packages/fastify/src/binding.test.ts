import { bindingContract } from "@tillkit/contract-tests";
import { surfacePlugin } from "./surface-plugin.js";
import { serve } from "./testing/serve.js";

bindingContract("Fastify", ({ payments, metrics, notifications }) =>
  serve(async (app) => {
    await app.register(surfacePlugin(payments), { prefix: "/pay" });
    await app.register(surfacePlugin(notifications), { prefix: "/wallets" });
    await app.register(surfacePlugin(metrics));
  }),
);

bindingContract("Fastify, inside a plugin of a host whose router compares loosely", async (surfaces) => {
  const host = await serve(
    (app) =>
      app.register(
        async (inner) => {
          await inner.register(surfacePlugin(surfaces.payments), { prefix: "/pay" });
          await inner.register(surfacePlugin(surfaces.notifications), { prefix: "/wallets" });
          await inner.register(surfacePlugin(surfaces.metrics));
        },
        { prefix: "/v1" },
      ),
    { routerOptions: { caseSensitive: false, ignoreTrailingSlash: true } },
  );
  return { ...host, baseUrl: `${host.baseUrl}/v1` };
});
