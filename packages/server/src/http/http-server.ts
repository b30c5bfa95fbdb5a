import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { serverLimits } from "@tillkit/runtime";

/** A server that listens. */
export interface HttpServer {
  readonly host: string;
  /** The port in use, also if a free port was requested. */
  readonly port: number;
  /** Returns the number of requests without an answer. */
  underWay(): number;
  /**
   * Ends each connection with its next response.
   *
   * The response has `connection: close`, so a load balancer sends nothing more on the connection.
   */
  drain(): void;
  /** Accepts no new connection and resolves when the last request is answered. */
  close(): Promise<void>;
}

/** Where a server listens. A socket is a file that only processes of this machine can reach. */
export type ListenAddress =
  { readonly host: string; readonly port: number } | { readonly socketPath: string };

/** Starts to listen. Rejects if the address cannot be used. */
export async function listen(app: RequestListener, address: ListenAddress): Promise<HttpServer> {
  const server = createServer(serverLimits);
  const pending = new Set<ServerResponse>();
  let [draining, closing] = [false, false];
  server.on("request", (_request, response) => {
    pending.add(response);
    if (draining) response.shouldKeepAlive = false;
    response.once("close", () => {
      pending.delete(response);
      // A response that began before `drain` has no `connection: close` and would keep its
      // connection open.
      if (closing) setImmediate(() => server.closeIdleConnections());
    });
  });
  server.on("request", app);
  const drain = (): void => {
    draining = true;
    for (const response of pending) response.shouldKeepAlive = false;
  };
  // All workers share the port, but each worker has its own socket.
  if ("socketPath" in address) server.listen({ path: address.socketPath, exclusive: true });
  else server.listen(address.port, address.host);
  await once(server, "listening");
  const used = server.address();
  return {
    host: "host" in address ? address.host : address.socketPath,
    port: typeof used === "object" && used !== null ? used.port : 0,
    underWay: () => pending.size,
    drain,
    close: () =>
      new Promise((resolve) => {
        drain();
        closing = true;
        server.close(() => resolve());
      }),
  };
}
