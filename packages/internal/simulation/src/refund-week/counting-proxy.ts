import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { ReadRefundCall, RefundCall } from "./refund-calls.js";

/** A proxy in front of a wallet that records the calls about refunds. */
export interface CountingProxy {
  /** The origin of the proxy, without a path. */
  readonly origin: string;
  /** Every refund call so far, oldest first. */
  readonly calls: readonly RefundCall[];
  close(): Promise<void>;
}

/**
 * Opens a proxy that forwards every request to `origin` unchanged.
 *
 * @param read - recognizes the refund calls, which the proxy records.
 * @param now - the time of a recorded call, in epoch milliseconds.
 */
export async function openCountingProxy(
  origin: string,
  read: ReadRefundCall,
  now: () => number,
): Promise<CountingProxy> {
  const calls: RefundCall[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const { method = "GET", url: target = "/" } = incoming;
      const body = Buffer.concat(chunks);
      const seen = read({ method, target, body: body.toString("utf8") });
      if (seen !== undefined) calls.push({ ...seen, at: now() });
      forward(origin, incoming, body, outgoing);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  return {
    origin: `http://127.0.0.1:${String(address.port)}`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Forwards one request.
 *
 * If one side closes the connection, the proxy closes the other side, so that the client sees the
 * same failure.
 */
function forward(origin: string, incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse): void {
  const { method, headers, url } = incoming;
  const onward = request(new URL(url ?? "/", origin), { method, headers, agent: false }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
    response.on("error", () => outgoing.destroy());
  });
  onward.on("error", () => outgoing.destroy());
  outgoing.on("close", () => onward.destroy());
  onward.end(body);
}
