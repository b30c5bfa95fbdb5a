import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";

/** A server on a free port of this machine. */
export interface Listening {
  readonly port: number;
  /** Closes every connection and the server. */
  readonly close: () => Promise<void>;
}

/** Starts a server on 127.0.0.1. */
export async function listen(answer: RequestListener): Promise<Listening> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  const close = async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { port: address.port, close };
}
