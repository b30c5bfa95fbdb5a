import { once } from "node:events";
import { createServer } from "node:http";
import { apiContract } from "@tillkit/contract-tests";
import { memoryPorts } from "@tillkit/memory";
import express from "express";
import { surfaceRouter } from "./surface-router.js";

apiContract(
  "Express, in memory",
  async ({ payments, metrics, notifications }) => {
    const app = express();
    app.use("/pay", surfaceRouter(payments));
    app.use("/wallets", surfaceRouter(notifications));
    app.use(surfaceRouter(metrics));
    const server = createServer(app).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("The server has no port");
    return {
      baseUrl: `http://127.0.0.1:${address.port}`,
      close: async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  },
  async () => ({ port: memoryPorts(), close: async () => undefined }),
);
