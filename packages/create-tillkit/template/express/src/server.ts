import { surfaceRouter } from "@tillkit/express";
import { closeServer, serverLimits } from "@tillkit/runtime";
import express from "express";
import { HOST, openHost, PORT, TRUST_PROXY } from "./tillkit.ts";

const { mounts, shop, log, stopOnSignal } = await openHost();

const app = express();
app.set("trust proxy", TRUST_PROXY);
// Before any body parser: the wallets sign the raw bytes.
for (const [path, surface] of Object.entries(mounts)) app.use(path, surfaceRouter(surface));
app.use(express.json());

// Take the customer from your log-in instead of the path.
app.post("/buy/:customer", async ({ params }, response) => {
  response.json(await shop.buy({ customerIdentity: params.customer }));
});
app.get("/bought/:customer/:bizNo", async ({ params }, response) => {
  response.json(await shop.check(params.customer, params.bizNo));
});

const server = app.listen(PORT, HOST, () => log(`listening http://127.0.0.1:${PORT}`));
Object.assign(server, serverLimits);
stopOnSignal(() => closeServer(server));
