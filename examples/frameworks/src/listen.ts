import { once } from "node:events";
import type { Server } from "node:http";
import type { Http2SecureServer, Http2Server } from "node:http2";
import type { RunningHost } from "./running-host.js";

/** Lets a server listen on a local port. */
export async function listen(
  server: Server | Http2Server | Http2SecureServer,
  port: number,
): Promise<RunningHost> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  const close = async () => {
    if ("closeAllConnections" in server) server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { baseUrl: `http://127.0.0.1:${address.port}`, close };
}
