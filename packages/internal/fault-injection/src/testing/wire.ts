import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A connection to a server that a test can cut and restore. */
export interface CuttableConnection {
  /** The URL of the server, with the address of this proxy. */
  readonly url: string;
  /** Closes every connection and accepts no new one. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** Opens a proxy to the server of `url`. */
export async function openCuttableConnection(url: string): Promise<CuttableConnection> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await listen(0);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  const near = new URL(url);
  near.host = `127.0.0.1:${address.port}`;
  return {
    url: near.href,
    cut: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    mend: () => listen(address.port),
  };
}
