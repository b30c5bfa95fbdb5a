import { once } from "node:events";
import { createAdaptorServer, type Http2Bindings, type HttpBindings } from "@hono/node-server";

/** Returns the address of the socket that `@hono/node-server` passes as the second argument. */
export function nodePeer(_request: Request, { incoming }: HttpBindings | Http2Bindings): string | undefined {
  return incoming.socket.remoteAddress;
}

/** Serves a function from `Request` to `Response` on a free local port until it is closed. */
export async function serve(
  fetch: (request: Request, node: HttpBindings | Http2Bindings) => Promise<Response> | Response,
) {
  const server = createAdaptorServer({ fetch }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  const close = async () => {
    if ("closeAllConnections" in server) server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { baseUrl: `http://127.0.0.1:${address.port}`, close };
}
