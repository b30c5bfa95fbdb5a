import { createPrivateKey, sign } from "node:crypto";
import type { Bench } from "../harness/bench.js";
import { inProcess } from "../harness/in-process.js";
import type { BenchRow } from "../harness/row.js";
import { openByHand } from "../shop/fill-orders.js";
import { openWalletBShop, WALLET_B } from "../shop/open-wallet-b-shop.js";
import { createServers } from "./create-servers.js";

/** Measures order creation for WALLET_B: commit the order and sign the payload. */
export async function createBRow(bench: Bench): Promise<BenchRow> {
  const shop = await openWalletBShop(bench);
  await openByHand(shop);
  const byHand = "Express 5, pg and alipay-sdk, by hand";
  const servers = await createServers(bench, {
    payChannel: "WALLET_B",
    facts: shop.facts,
    byHand: {
      name: byHand,
      program: new URL("../servers/by-hand/create-b.ts", import.meta.url),
      facts: { ...shop.keys, walletAppId: WALLET_B.walletAppId },
    },
    same: ["app_id", "method"],
  });
  const text = Buffer.alloc(900, "x");
  const key = createPrivateKey(shop.keys.appPrivateKey);
  const signature = inProcess({
    name: "one RSA-2048 signature",
    role: "limit",
    once: () => Promise.resolve(sign("RSA-SHA256", text, key)),
  });
  return {
    work: "POST /order.json for WALLET_B, committed to the disk",
    contestants: [...servers, signature],
    targets: [
      { kind: "less-cpu", than: byHand, atLeast: 3.6 },
      { kind: "cpu", than: signature.name, atMost: 1.45 },
    ],
    close: () => shop.sql.close(),
  };
}
