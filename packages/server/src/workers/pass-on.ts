import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { pipeline } from "node:stream";

/**
 * Passes a request on to the server at a socket, and its response back.
 *
 * The server receives the same headers. The function appends the address of the client to
 * `X-Forwarded-For`, as proxies do.
 */
export function passOn(socketPath: string, incoming: IncomingMessage, response: ServerResponse): void {
  const { method, url, headers, socket } = incoming;
  const named = [headers["x-forwarded-for"], socket.remoteAddress];
  const forwarded = { ...headers, "x-forwarded-for": named.filter((part) => part !== undefined).join(", ") };
  const sent = request({ socketPath, method, path: url, headers: forwarded, agent: false });
  sent.on("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    // Event streams send their headers long before their first event.
    response.flushHeaders();
    pipeline(answer, response, () => undefined);
  });
  sent.on("error", () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end("The worker did not answer.\n");
  });
  response.once("close", () => sent.destroy());
  pipeline(incoming, sent, () => undefined);
}
