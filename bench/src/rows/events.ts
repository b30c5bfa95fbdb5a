import { postgresEventDeliveryStore } from "@tillkit/postgres";
import type { Bench } from "../harness/bench.js";
import type { BenchRow, Contestant } from "../harness/row.js";
import { openWalletBShop, type WalletBShop } from "../shop/open-wallet-b-shop.js";
import { SCHEMA } from "../shop/shop-facts.js";
import { notifiedTillkit } from "./notify.js";

const WITHOUT = "no handler registered";

/** Limits of what events cost: processor time and speed of a notification, as multiples. */
const MOST_CPU = 1.1;
const LEAST_SPEED = 0.9;

/**
 * Measures what events add to a payment notification of WALLET_B.
 *
 * With a registered handler, the statement that stores PAID also stores the delivery. No contestant
 * runs a handler.
 */
export async function eventsRow(bench: Bench): Promise<BenchRow> {
  const [withHandler, without] = [await openWalletBShop(bench), await openWalletBShop(bench)];
  const registered = await postgresEventDeliveryStore(withHandler.sql, SCHEMA).registerHandler("mailer", 0);
  if (registered.isErr()) throw new Error("The handler was not registered.", { cause: registered.error });
  const contestant = (shop: WalletBShop, name: string): Promise<Contestant> =>
    notifiedTillkit(bench, shop, { title: name, name: "P", service: false });
  return {
    work: "a notification of WALLET_B, its order committed as PAID and an event made due",
    contestants: [
      await contestant(withHandler, "one handler registered"),
      await contestant(without, WITHOUT),
    ],
    targets: [
      { kind: "cpu", than: WITHOUT, atMost: MOST_CPU },
      { kind: "speed", than: WITHOUT, atLeast: LEAST_SPEED },
    ],
    close: async () => {
      await Promise.all([withHandler.sql.close(), without.sql.close()]);
    },
  };
}
