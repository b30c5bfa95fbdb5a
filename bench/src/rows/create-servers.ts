import { z } from "zod";
import type { Bench } from "../harness/bench.js";
import { overHttp } from "../harness/over-http.js";
import type { Contestant } from "../harness/row.js";
import { createOrders } from "../load/create-orders.js";
import type { ShopFacts } from "../shop/shop-facts.js";
import { tillkitOn } from "../shop/tillkit-on.js";

const answered = z.object({ code: z.number(), data: z.record(z.string(), z.unknown()) });

/** How to start the servers that create orders of a wallet. */
export interface CreateServers {
  readonly payChannel: "WALLET_A" | "WALLET_B";
  /** The facts for every server. */
  readonly facts: ShopFacts & { readonly walletA?: string };
  readonly byHand: { readonly name: string; readonly program: URL; readonly facts: object };
  /** Payload members that must be equal. The others must only be present. */
  readonly same: readonly string[];
}

/** Starts the servers that create orders: Tillkit on both bindings, and the hand-written one. */
export async function createServers(
  bench: Bench,
  { payChannel, facts, byHand, same }: CreateServers,
): Promise<readonly [Contestant, Contestant, Contestant]> {
  const load = createOrders(facts, payChannel);
  // Payloads differ by number, time and signature.
  const essence = (body: unknown) => {
    const { code, data } = answered.parse(body);
    return { code, members: Object.keys(data).sort(), same: same.map((member) => data[member]) };
  };
  return [
    await tillkitOn("node", bench, { facts, load, essence }),
    await tillkitOn("express", bench, { facts, load, essence }),
    await overHttp({ ...byHand, role: "alternative", facts: { ...facts, ...byHand.facts }, load, essence }),
  ];
}
