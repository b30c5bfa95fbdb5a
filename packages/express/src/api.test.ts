import { apiContract, listen } from "@tillkit/contract-tests";
import { memoryPorts } from "@tillkit/memory";
import { describe } from "vitest";
import { versions } from "./testing/hosts.js";

describe.each(versions)("on $version", { tags: "slow" }, ({ version, express, surfaceRouter }) => {
  apiContract(
    `${version}, in memory`,
    ({ payments, metrics, notifications }) => {
      const app = express();
      app.use("/pay", surfaceRouter(payments));
      app.use("/wallets", surfaceRouter(notifications));
      app.use(surfaceRouter(metrics));
      return listen(app);
    },
    async () => ({ port: memoryPorts(), close: async () => undefined }),
  );
});
