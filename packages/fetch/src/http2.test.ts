import { getRequestListener } from "@hono/node-server";
import {
  http2BindingContract,
  http2MessagesContract,
  listenHttp2,
  type OpenBinding,
} from "@tillkit/contract-tests";
import { memoryPorts } from "@tillkit/memory";
import { fetchHandler } from "./fetch-handler.js";

const openHttp2: OpenBinding = ({ payments, metrics, notifications }) => {
  const mounts = { "/pay": payments, "/wallets": notifications, "/": metrics };
  const listener = getRequestListener(fetchHandler(mounts));
  return listenHttp2((request, response) => void listener(request, response));
};

http2BindingContract("fetch, served by @hono/node-server", openHttp2);
http2MessagesContract("fetch, served by @hono/node-server, in memory", openHttp2, async () => ({
  port: memoryPorts(),
  close: async () => undefined,
}));
