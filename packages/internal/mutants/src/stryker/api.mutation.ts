import { surfaceRouter } from "@tillkit/express";
import { apiContract, listen } from "@tillkit/contract-tests";
import { memoryPorts } from "@tillkit/memory";
import express from "express";

// The rules are the same on every framework, so one framework is enough here.
apiContract(
  "in memory",
  ({ payments, metrics, notifications }) => {
    const app = express();
    app.use("/pay", surfaceRouter(payments));
    app.use("/wallets", surfaceRouter(notifications));
    app.use(surfaceRouter(metrics));
    return listen(app);
  },
  async () => ({ port: memoryPorts(), close: async () => undefined }),
);
