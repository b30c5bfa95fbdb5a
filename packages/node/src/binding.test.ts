import {
  bindingContract,
  http2BindingContract,
  http2MessagesContract,
  listen,
  listenHttp2,
  type OpenBinding,
} from "@tillkit/contract-tests";
import { memoryPorts } from "@tillkit/memory";
import { nodeListener } from "./node-listener.js";

bindingContract("node:http", ({ payments, metrics, notifications }) =>
  listen(nodeListener({ "/pay": payments, "/wallets": notifications, "/": metrics })),
);

bindingContract("node:http, mounted with trailing slashes below a path", async (surfaces) => {
  const { payments, metrics, notifications } = surfaces;
  const host = await listen(
    nodeListener({ "/v1/": metrics, "/v1/pay/": payments, "/v1/wallets/": notifications }),
  );
  return { ...host, baseUrl: `${host.baseUrl}/v1` };
});

bindingContract("node:http, ahead of a host", ({ payments, metrics, notifications }) =>
  listen(
    nodeListener(
      { "/pay": payments, "/wallets": notifications, "/": metrics },
      { otherwise: (_request, response) => response.writeHead(404).end("the host's own page") },
    ),
  ),
);

const openHttp2: OpenBinding = ({ payments, metrics, notifications }) =>
  listenHttp2(nodeListener({ "/pay": payments, "/wallets": notifications, "/": metrics }));

http2BindingContract("node:http2", openHttp2);
http2MessagesContract("node:http2, in memory", openHttp2, async () => ({
  port: memoryPorts(),
  close: async () => undefined,
}));
