import { fetchHandler } from "@tillkit/fetch";
import { demoSurfaces } from "../../../../examples/frameworks/src/demo-surfaces.js";

/** Creates the demo shop as a function from `Request` to `Response`. */
export async function demoHandler(): Promise<(request: Request) => Promise<Response>> {
  const { payments, notifications, metrics } = await demoSurfaces();
  const handler = fetchHandler({ "/pay": payments, "/wallets": notifications, "/": metrics });
  return (request) => handler(request);
}
