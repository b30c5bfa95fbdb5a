import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { inject, onTestFinished } from "vitest";

/** The server of the test run behind a proxy that can stop responding. */
export interface UnresponsiveServer {
  readonly url: string;
  /** Stops the traffic in both directions. Connections stay open. */
  readonly stopResponding: () => void;
}

/** Opens an {@link UnresponsiveServer} for the running test. */
export async function unresponsiveServer(): Promise<UnresponsiveServer> {
  const url = new URL(inject("databaseUrl"));
  const { port, hostname } = url;
  const sockets = new Set<Socket>();
  let silent = false;
  const line = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const socket of [client, server]) sockets.add(socket.on("error", () => undefined));
    client.on("data", (bytes) => {
      if (!silent) server.write(bytes);
    });
    server.on("data", (bytes) => {
      if (!silent) client.write(bytes);
    });
    client.on("close", () => server.destroy());
  }).listen(0, "127.0.0.1");
  await once(line, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    line.close();
  });
  const address = line.address();
  if (typeof address === "object" && address !== null) url.port = String(address.port);
  return {
    url: url.href,
    stopResponding: () => {
      silent = true;
    },
  };
}
