import { TillkitClient } from "@tillkit/client";
import { handle } from "./handle";

/** Returns the client with which your pages call Tillkit in this process, without a connection. */
export async function shopClient(): Promise<TillkitClient> {
  // In production: APP_ID and APP_SECRET, which `tillkit apps create` prints.
  const { appId, appSecret } = await (await handle(new Request("http://127.0.0.1/demo/app"))).json();
  const call = (url: string, init: RequestInit) => handle(new Request(url, init));
  return new TillkitClient({ appId, appSecret, baseUrl: "http://127.0.0.1/pay", fetch: call });
}
