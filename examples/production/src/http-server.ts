import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { serverLimits } from "@tillkit/runtime";

/** A server that listens. */
export interface HttpServer {
  readonly host: string;
  /** The port in use, also if a free port was requested. */
  readonly port: number;
  /** Returns the number of requests without an answer. */
  underWay(): number;
  /** Accepts no new connection and resolves when the last request is answered. */
  close(): Promise<void>;
}

/** Starts to listen. Rejects if the address cannot be used. */
export async function listen(
  app: RequestListener,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<HttpServer> {
  const server = createServer(serverLimits);
  let underWay = 0;
  let closing = false;
  server.on("request", (_request, response) => {
    underWay += 1;
    response.once("close", () => {
      underWay -= 1;
      // A connection that was busy when the server closed would otherwise be kept alive.
      if (closing) setImmediate(() => server.closeIdleConnections());
    });
  });
  server.on("request", app);
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  return {
    host,
    port: typeof address === "object" && address !== null ? address.port : port,
    underWay: () => underWay,
    close: () =>
      new Promise((resolve) => {
        closing = true;
        server.close(() => resolve());
      }),
  };
}
