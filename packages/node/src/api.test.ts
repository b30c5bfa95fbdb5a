import { apiContract, listen } from "@tillkit/contract-tests";
import { memoryPorts } from "@tillkit/memory";
import { documentedReply } from "./testing/documented-reply.js";
import { nodeListener } from "./node-listener.js";

apiContract(
  "node:http, in memory",
  ({ payments, metrics, notifications }) =>
    listen(nodeListener({ "/pay": payments, "/wallets": notifications, "/": metrics })),
  async () => ({ port: memoryPorts(), close: async () => undefined }),
  documentedReply,
);
