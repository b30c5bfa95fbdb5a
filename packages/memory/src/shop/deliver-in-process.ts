import type { Ports } from "@tillkit/core";
import { notificationsSurface } from "@tillkit/core/http";

/** Returns a function that sends a wallet's notification to the notifications endpoint of core. */
export function deliverInProcess(ports: Ports): (request: Request) => Promise<Response> {
  const surface = notificationsSurface(ports);
  const base = new URL(ports.notificationsUrl).pathname.replace(/\/$/u, "");
  return async (request) => {
    const { status, headers, body } = await surface.handle({
      method: request.method,
      path: new URL(request.url).pathname.slice(base.length),
      query: "",
      headers: request.headers,
      body: new Uint8Array(await request.arrayBuffer()),
    });
    return new Response(body === "" ? null : body, { status, headers });
  };
}
