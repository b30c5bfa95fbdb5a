import { surfacePlugin } from "@tillkit/fastify";
import { serverLimits } from "@tillkit/runtime";
import Fastify from "fastify";
import { HOST, openHost, PORT, TRUST_PROXY } from "./tillkit.ts";

const { mounts, shop, log, stopOnSignal } = await openHost();

// If `trustProxy` is a number, Fastify trusts no proxy.
const trustProxy = (_address: string, hop: number) => hop < TRUST_PROXY;
const app = Fastify({ http: serverLimits, ...serverLimits, trustProxy });
for (const [prefix, surface] of Object.entries(mounts))
  await app.register(surfacePlugin(surface), { prefix: prefix.replace(/\/$/u, "") });

// Take the customer from your log-in instead of the path.
app.post<{ Params: { customer: string } }>("/buy/:customer", ({ params }) =>
  shop.buy({ customerIdentity: params.customer }),
);
app.get<{ Params: { customer: string; bizNo: string } }>("/bought/:customer/:bizNo", ({ params }) =>
  shop.check(params.customer, params.bizNo),
);

await app.listen({ port: PORT, host: HOST });
log(`listening http://127.0.0.1:${PORT}`);
stopOnSignal(() => {
  app.server.keepAliveTimeout = 1; // a busy connection ends after its response
  return app.close();
});
