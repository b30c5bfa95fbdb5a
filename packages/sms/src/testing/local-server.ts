import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";

/** An answer of a carrier: complete, cut off, endless, missing, or a connection that breaks. */
export type Answer =
  | {
      readonly status: number;
      readonly body: string;
      readonly type?: string;
      /** The target of a redirect. */
      readonly location?: string;
    }
  | "half"
  | "endless"
  | "hang"
  | "reset";

/** A local HTTP server in the place of a carrier. */
export interface LocalServer {
  readonly origin: string;
  /** The number of requests so far. */
  requests(): number;
  /** The number of connections so far. */
  connections(): number;
  /** The number of connections that are open now. */
  openConnections(): number;
  close(): Promise<void>;
}

/** Starts a server. `answer` receives each request with its whole body. */
export async function openLocalServer(
  answer: (request: IncomingMessage, body: string) => Answer,
): Promise<LocalServer> {
  let requests = 0;
  let connections = 0;
  let openConnections = 0;
  const server = createServer((request, response) => {
    requests += 1;
    void text(request).then((body) => {
      const given = answer(request, body);
      if (given === "hang") return;
      if (given === "reset") {
        request.socket.resetAndDestroy();
        return;
      }
      if (given === "half") {
        response.writeHead(200, { "content-type": "application/json", "content-length": "400" });
        response.write('{"Code":"O', () => request.socket.destroy());
        return;
      }
      if (given === "endless") {
        response.writeHead(200, { "content-type": "application/json" });
        const timer = setInterval(() => response.write(" ".repeat(1_000)), 10);
        response.on("close", () => clearInterval(timer));
        return;
      }
      const { status, type = "application/json", location, body: text } = given;
      response.writeHead(status, { "content-type": type, ...(location !== undefined && { location }) });
      response.end(text);
    });
  });
  server.on("connection", (socket) => {
    connections += 1;
    openConnections += 1;
    socket.on("close", () => {
      openConnections -= 1;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    requests: () => requests,
    connections: () => connections,
    openConnections: () => openConnections,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
