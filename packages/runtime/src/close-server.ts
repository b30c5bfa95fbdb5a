/**
 * Closes an HTTP server. Resolves when its running requests and its connections have ended.
 *
 * Without this function, a connection that is busy when the server closes stays open after its
 * response, for the `keepAliveTimeout` of the server.
 *
 * @example
 * ```ts
 * import { createServer } from "node:http";
 * import { closeServer } from "@tillkit/runtime";
 *
 * const server = createServer(app).listen(8080);
 * process.once("SIGTERM", () => closeServer(server));
 * ```
 */
export function closeServer(server: {
  close(closed: () => void): unknown;
  keepAliveTimeout?: number;
}): Promise<void> {
  server.keepAliveTimeout = 1;
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}
