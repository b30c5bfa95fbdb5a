// A host on Express, whichever version is installed, with parsers of its own after Tillkit.
import { once } from "node:events";
import { createServer } from "node:http";
import { surfaceRouter } from "@tillkit/express";
import { serverLimits } from "@tillkit/runtime";
import express from "express";
import { demoSurfaces } from "../../../../examples/frameworks/src/demo-surfaces.js";

const { payments, notifications, metrics } = await demoSurfaces();
const app = express();
app.use("/pay", surfaceRouter(payments));
app.use("/wallets", surfaceRouter(notifications));
app.use(surfaceRouter(metrics));
app.use(express.json());
app.post("/own", (request, response) => void response.json(request.body));
const server = createServer(serverLimits, app).listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
console.log(`listening http://127.0.0.1:${typeof address === "object" ? address?.port : 0} `);
