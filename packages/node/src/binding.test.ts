import { bindingContract, http2BindingContract, listen, listenHttp2 } from "@tillkit/contract-tests";
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

http2BindingContract("node:http2", ({ payments, metrics, notifications }) =>
  listenHttp2(nodeListener({ "/pay": payments, "/wallets": notifications, "/": metrics })),
);
