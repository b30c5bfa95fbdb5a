import { createAdaptorServer, type Http2Bindings, type HttpBindings } from "@hono/node-server";
import { fetchHandler } from "@tillkit/fetch";
import { serverLimits } from "@tillkit/runtime";
import { Hono } from "hono";
import { listen } from "./listen.js";
import type { StartHost } from "./running-host.js";

/** Starts a Hono application on Node, with Tillkit in front of its routes. */
export const startHono: StartHost = ({ payments, notifications, metrics }, port) => {
  const app = new Hono();
  app.get("/hello", (context) => context.text("mine"));

  const handler = fetchHandler(
    { "/pay": payments, "/wallets": notifications, "/": metrics },
    {
      otherwise: (request, node: HttpBindings | Http2Bindings) => app.fetch(request, node),
      // Behind a proxy, return the address that the proxy sends in a header.
      peerOf: (_request, { incoming }: HttpBindings | Http2Bindings) => incoming.socket.remoteAddress,
    },
  );
  return listen(createAdaptorServer({ fetch: handler, serverOptions: serverLimits }), port);
};
