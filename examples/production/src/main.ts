import { serveTillkit } from "@tillkit/server";
import { eventHandlers } from "./event-handlers.js";

await serveTillkit({
  eventHandlers,
  // Loaded only by a process that serves, so that the supervisor of several processes stays small.
  routes: async () => (await import("./routes.js")).routes,
});
