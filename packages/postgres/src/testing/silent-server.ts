import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { inject, onTestFinished } from "vitest";

/** The run's server behind a line that can fall silent, as when the server is frozen. */
export interface SilentServer {
  readonly url: string;
  /** From now on nothing arrives any more, in either direction. Connections stay open. */
  readonly fallSilent: () => void;
}

/** Opens such a line for the running test. */
export async function silentServer(): Promise<SilentServer> {
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
    fallSilent: () => {
      silent = true;
    },
  };
}
