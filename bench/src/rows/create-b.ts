import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import { z } from "zod";
import type { Bench } from "../harness/bench.js";
import { inProcess } from "../harness/in-process.js";
import { overHttp } from "../harness/over-http.js";
import type { Row } from "../harness/row.js";
import { createOrders } from "../load/create-orders.js";
import { fillOrders } from "../shop/fill-orders.js";
import { openShop } from "../shop/open-shop.js";
import { tillkitOn } from "../shop/tillkit-on.js";

const answered = z.object({ code: z.number(), data: z.record(z.string(), z.unknown()) });
const WALLET_APP_ID = "2014072300007148";

/** Creating an order of WALLET_B: it is written to the disk, and what opens the payment is signed. */
export async function createBRow(bench: Bench): Promise<Row> {
  const pem = (key: {
    readonly type: "pkcs8" | "spki";
    readonly from: { export(o: object): string | Buffer };
  }) => key.from.export({ type: key.type, format: "pem" }).toString();
  const app = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const wallet = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const keys = {
    appPrivateKey: pem({ type: "pkcs8", from: app.privateKey }),
    alipayPublicKey: pem({ type: "spki", from: wallet.publicKey }),
  };
  const shop = await openShop(await bench.database(), [
    {
      payChannel: "WALLET_B",
      accountId: "2088102119685838",
      walletAppId: WALLET_APP_ID,
      appEnv: "PROD",
      appName: "Bench",
      appPackageName: "",
      appSignature: "",
      credentials: keys,
    },
  ]);
  await fillOrders(shop, 0);
  const load = createOrders(shop.facts, "WALLET_B");
  // The payload differs by its number, time and signature; it has to have the same members.
  const essence = (body: unknown) => {
    const { code, data } = answered.parse(body);
    return { code, members: Object.keys(data).sort(), appId: data["app_id"], method: data["method"] };
  };
  const byHand = "Express 5, pg and alipay-sdk, by hand";
  const signed = Buffer.alloc(900, "x");
  const key = createPrivateKey(keys.appPrivateKey);
  return {
    work: "POST /order.json for WALLET_B, committed to the disk",
    contestants: [
      await tillkitOn("express", bench, { facts: shop.facts, load, essence }),
      await tillkitOn("node", bench, { facts: shop.facts, load, essence }),
      await overHttp({
        name: byHand,
        role: "alternative",
        program: new URL("../servers/by-hand/create-b.ts", import.meta.url),
        facts: { ...shop.facts, ...keys, walletAppId: WALLET_APP_ID },
        load,
        essence,
      }),
      inProcess({
        name: "one RSA-2048 signature",
        role: "limit",
        once: () => Promise.resolve(sign("RSA-SHA256", signed, key)),
      }),
    ],
    targets: [{ than: byHand, atLeast: 1 }],
    close: () => shop.sql.close(),
  };
}
