import { apiContract, listen, manyCases, messagesContract } from "@tillkit/contract-tests";
import { memoryPorts } from "@tillkit/memory";
import { versions } from "./testing/hosts.js";

const contract = manyCases() ? apiContract : messagesContract;
const tested = manyCases() ? versions : versions.slice(-1);

for (const { version, express, surfaceRouter } of tested) {
  contract(
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
}
