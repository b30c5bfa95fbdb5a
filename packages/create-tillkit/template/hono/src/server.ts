import { createAdaptorServer, type Http2Bindings, type HttpBindings } from "@hono/node-server";
import { fetchHandler } from "@tillkit/fetch";
import { closeServer, serverLimits } from "@tillkit/runtime";
import { Hono } from "hono";
import { HOST, openHost, PORT, TRUST_PROXY } from "./tillkit.ts";

const { mounts, shop, log, stopOnSignal } = await openHost();

const app = new Hono();
// Take the customer from your log-in instead of the path.
app.post("/buy/:customer", async (context) =>
  context.json(await shop.buy({ customerIdentity: context.req.param("customer") })),
);
app.get("/bought/:customer/:bizNo", async (context) => {
  const { customer, bizNo } = context.req.param();
  return context.json(await shop.check(customer, bizNo));
});

const handler = fetchHandler(mounts, {
  otherwise: (request, node: HttpBindings | Http2Bindings) => app.fetch(request, node),
  // Behind proxies: the address that the first proxy appended.
  peerOf: ({ headers }, { incoming }: HttpBindings | Http2Bindings) =>
    TRUST_PROXY === 0
      ? incoming.socket.remoteAddress
      : headers.get("x-forwarded-for")?.split(",").at(-TRUST_PROXY)?.trim(),
});
const server = createAdaptorServer({ fetch: handler, serverOptions: serverLimits });
server.listen(PORT, HOST, () => log(`listening http://127.0.0.1:${PORT}`));
stopOnSignal(() => closeServer(server));
