import { bindingContract } from "@tillkit/contract-tests";
import { fetchHandler } from "./fetch-handler.js";
import { nodePeer, serve } from "./testing/serve.js";

bindingContract(
  "fetch, served by @hono/node-server",
  ({ payments, metrics, notifications }) =>
    serve(fetchHandler({ "/pay": payments, "/wallets": notifications, "/": metrics }, { peerOf: nodePeer })),
  { urls: "parsed" },
);
