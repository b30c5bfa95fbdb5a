import { fetchHandler } from "@tillkit/fetch";
import { demoSurfaces } from "./demo-surfaces";
import { peerOf } from "./peer-of";

type Handler = (request: Request) => Promise<Response>;

declare global {
  var tillkit: Promise<Handler> | undefined;
}

/** Answers a request to Tillkit's endpoints. The first request opens the host. */
export async function handle(request: Request): Promise<Response> {
  // Next.js loads a module once per route, and all routes share one host.
  globalThis.tillkit ??= open();
  return (await globalThis.tillkit)(request);
}

async function open(): Promise<Handler> {
  // In production: limitedSurfaces(createTillkit({ … }).ports)
  const { payments, notifications, metrics } = await demoSurfaces();
  return fetchHandler({ "/pay": payments, "/wallets": notifications, "/": metrics }, { peerOf });
}
