import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import {
  createServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";

/** A server on a free port of this machine. */
export interface Listening {
  readonly server: Server;
  readonly port: number;
  readonly baseUrl: string;
  /** Closes the server and all its connections. */
  close(): Promise<void>;
}

/**
 * Starts a server with a listener, such as the application of a framework.
 *
 * @returns the server with its base URL, on a free port of 127.0.0.1.
 * @example
 * ```ts
 * import { listen } from "@tillkit/contract-tests";
 * import { paymentsSurface } from "@tillkit/core/http";
 * import { nodeListener } from "@tillkit/node";
 *
 * const host = await listen(nodeListener({ "/pay": paymentsSurface(ports) }));
 * const response = await fetch(`${host.baseUrl}/pay/payTools.json`);
 * await host.close();
 * ```
 */
export async function listen(listener: RequestListener): Promise<Listening> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { server, port: address.port, baseUrl: `http://127.0.0.1:${address.port}`, close };
}

/**
 * Starts a server that speaks HTTP/2 without TLS.
 *
 * @returns the base URL, on a free port of 127.0.0.1, and what closes the server and all its
 *   connections.
 * @example
 * ```ts
 * import { listenHttp2 } from "@tillkit/contract-tests";
 * import { paymentsSurface } from "@tillkit/core/http";
 * import { nodeListener } from "@tillkit/node";
 *
 * const host = await listenHttp2(nodeListener({ "/pay": paymentsSurface(ports) }));
 * await host.close();
 * ```
 */
export async function listenHttp2(
  listener: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
): Promise<Pick<Listening, "baseUrl" | "close">> {
  const server = createHttp2Server(listener);
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  const close = async () => {
    for (const session of sessions) session.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { baseUrl: `http://127.0.0.1:${address.port}`, close };
}
