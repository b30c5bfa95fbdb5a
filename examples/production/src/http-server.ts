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

/** Starts to listen. Rejects if the address cannot be used. */
export async function listen(
  app: RequestListener,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<HttpServer> {
  const server = createServer(serverLimits);
  const pending = new Set<ServerResponse>();
  let [draining, closing] = [false, false];
  server.on("request", (_request, response) => {
    pending.add(response);
    if (draining) response.shouldKeepAlive = false;
    response.once("close", () => {
      pending.delete(response);
      // A connection whose response had begun before the draining would otherwise be kept alive.
      if (closing) setImmediate(() => server.closeIdleConnections());
    });
  });
  server.on("request", app);
  const drain = (): void => {
    draining = true;
    for (const response of pending) response.shouldKeepAlive = false;
  };
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  return {
    host,
    port: typeof address === "object" && address !== null ? address.port : port,
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
