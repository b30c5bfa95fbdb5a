import { demoHandler } from "./demo-handler.js";

// A worker creates its host with the first request: it may not use random numbers before.
let handler;

export default {
  fetch: async (request) => {
    handler ??= demoHandler();
    return (await handler)(request);
  },
};
