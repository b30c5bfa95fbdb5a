import type { Bench } from "../harness/bench.js";
import type { BenchRow } from "../harness/row.js";
import { openWalletAShop } from "../shop/open-wallet-a-shop.js";
import { HEADERS_A, signNotificationsA } from "../shop/sign-notifications-a.js";
import { LEAST_OF_BATCHED, receivingTillkit, TITLE } from "./notify.js";
import { BATCHED, batchedPayments } from "./payments-by-hand.js";

/**
 * Measures a payment notification of WeChat Pay.
 *
 * It is verified and decrypted, and PAID is committed before the answer.
 */
export async function notifyARow(bench: Bench): Promise<BenchRow> {
  const shop = await openWalletAShop(bench);
  const [sample] = await signNotificationsA(shop, { name: "X", first: 1, last: 1 });
  const { text = "", signature = "" } = sample ?? {};
  const check = { publicKey: shop.walletPublicKey, text, signature };
  return {
    work: "a notification of WALLET_A, verified and decrypted, its order committed as PAID",
    contestants: [
      await receivingTillkit(bench, shop, {
        title: TITLE,
        orders: { name: "P", service: false },
        sign: async (range) => {
          const signed = await signNotificationsA(shop, range);
          return signed.map(({ text: _text, ...item }) => item);
        },
        headers: HEADERS_A,
        // WeChat Pay expects an empty answer with the status 204.
        expects: "",
      }),
      await batchedPayments(shop, check),
    ],
    targets: [{ kind: "speed", than: BATCHED, atLeast: LEAST_OF_BATCHED, orPerSecond: 2_500 }],
    close: () => shop.sql.close(),
  };
}
