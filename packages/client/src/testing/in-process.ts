import { limitedSurfaces } from "@tillkit/core/http";
import { fetchHandler } from "@tillkit/fetch";
import { aShop, type Shop } from "@tillkit/memory";
import { TillkitClient } from "../tillkit-client.js";
import type { TillkitClientOptions } from "../options.js";

/** A service in memory and a client that calls it without a network. */
export interface InProcess {
  readonly shop: Shop;
  readonly client: TillkitClient;
  /** The options of the client. */
  readonly options: TillkitClientOptions;
}

/** Opens a service in memory. `changes` replaces options of its client. */
export async function inProcess(changes: Partial<TillkitClientOptions> = {}): Promise<InProcess> {
  const shop = await aShop();
  const { payments, metrics } = limitedSurfaces(shop.ports);
  const answer = fetchHandler({ "/pay": payments, "/": metrics });
  const options: TillkitClientOptions = {
    baseUrl: "https://pay.example/pay",
    appId: shop.app.appId,
    appSecret: shop.appSecret,
    fetch: (url, init) => answer(new Request(url, init)),
    sleep: async () => undefined,
    ...changes,
  };
  return { shop, client: new TillkitClient(options), options };
}
