import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";

/** An answer of a carrier: complete, cut off, missing, or a connection that breaks. */
export type Answer =
  { readonly status: number; readonly body: string; readonly type?: string } | "half" | "hang" | "reset";

/** A local HTTP server in the place of a carrier. */
export interface LocalServer {
  readonly origin: string;
  /** The number of requests so far. */
  requests(): number;
  /** The number of connections so far. */
  connections(): number;
  close(): Promise<void>;
}

/** Starts a server. `answer` receives each request with its whole body. */
export async function openLocalServer(
  answer: (request: IncomingMessage, body: string) => Answer,
): Promise<LocalServer> {
  let requests = 0;
  let connections = 0;
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
      response.writeHead(given.status, { "content-type": given.type ?? "application/json" }).end(given.body);
    });
  });
  server.on("connection", () => {
    connections += 1;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    requests: () => requests,
    connections: () => connections,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
