import { createServer } from "node:http";
import { nodeListener } from "@tillkit/node";
import { serverLimits } from "@tillkit/runtime";
import Koa from "koa";
import { listen } from "./listen.js";
import type { StartHost } from "./running-host.js";

/** Starts a Koa application, with Tillkit in front of its middleware. */
export const startKoa: StartHost = ({ payments, notifications, metrics }, port) => {
  const app = new Koa();
  app.use((context, next) => {
    if (context.path !== "/hello") return next();
    context.body = "mine";
    return undefined;
  });

  const answerOwn = app.callback();
  const listener = nodeListener(
    { "/pay": payments, "/wallets": notifications, "/": metrics },
    { otherwise: (request, response) => void answerOwn(request, response) },
  );
  return listen(createServer(serverLimits, listener), port);
};
