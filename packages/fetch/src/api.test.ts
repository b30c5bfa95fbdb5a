import { apiContract, manyCases, messagesContract } from "@tillkit/contract-tests";
import { memoryPorts } from "@tillkit/memory";
import { fetchHandler } from "./fetch-handler.js";
import { nodePeer, serve } from "./testing/serve.js";

const contract = manyCases() ? apiContract : messagesContract;

contract(
  "fetch, served by @hono/node-server, in memory",
  ({ payments, metrics, notifications }) =>
    serve(fetchHandler({ "/pay": payments, "/wallets": notifications, "/": metrics }, { peerOf: nodePeer })),
  async () => ({ port: memoryPorts(), close: async () => undefined }),
);
