/* global Bun */
import { demoHandler } from "./demo-handler.js";

const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: await demoHandler() });
console.log(`listening ${server.url} `);
