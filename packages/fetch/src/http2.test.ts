import { getRequestListener } from "@hono/node-server";
import { http2BindingContract, listenHttp2 } from "@tillkit/contract-tests";
import { fetchHandler } from "./fetch-handler.js";

http2BindingContract("fetch, served by @hono/node-server", ({ payments, metrics, notifications }) => {
  const mounts = { "/pay": payments, "/wallets": notifications, "/": metrics };
  const listener = getRequestListener(fetchHandler(mounts));
  return listenHttp2((request, response) => void listener(request, response));
});
