import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { z } from "zod";
import type { Bench } from "../harness/bench.js";
import { inProcess } from "../harness/in-process.js";
import type { BenchRow } from "../harness/row.js";
import { startProgram } from "../harness/start-program.js";
import { openByHand } from "../shop/fill-orders.js";
import { openShop } from "../shop/open-shop.js";
import { createServers } from "./create-servers.js";

const merchant = z.object({
  mchid: z.string(),
  appid: z.string(),
  merchantPrivateKey: z.string(),
  merchantSerialNo: z.string(),
  walletCertificate: z.string(),
  walletSerialNo: z.string(),
});
const sandboxReport = z.object({
  walletA: z.string(),
  merchant,
  payTool: z.object({
    accountId: z.string(),
    walletAppId: z.string(),
    payChannel: z.literal("WALLET_A"),
    appEnv: z.literal("DEV"),
    appName: z.string(),
    appPackageName: z.string(),
    appSignature: z.string(),
    credentials: z.record(z.string(), z.string()),
  }),
});

/** Measures order creation for WALLET_A: commit the order, call the wallet, sign the payload. */
export async function createARow(bench: Bench): Promise<BenchRow> {
  const sandbox = await startProgram(new URL("../servers/sandbox.ts", import.meta.url), {});
  const { walletA, merchant: merchantA, payTool } = sandboxReport.parse(sandbox.reported);
  const shop = await openShop(await bench.database(), [payTool], { DEV: walletA });
  await openByHand(shop);
  const byHand = "Express 5, pg and wechatpay-axios-plugin, by hand";
  const servers = await createServers(bench, {
    payChannel: "WALLET_A",
    facts: { ...shop.facts, walletA },
    byHand: {
      name: byHand,
      program: new URL("../servers/by-hand/create-a.ts", import.meta.url),
      facts: merchantA,
    },
    same: ["appid", "partnerid"],
  });
  const text = Buffer.alloc(500, "x");
  const key = createPrivateKey(merchantA.merchantPrivateKey);
  const publicKey = createPublicKey(key);
  const signature = sign("RSA-SHA256", text, key);
  const cryptography = inProcess({
    name: "two RSA-2048 signatures and one check",
    role: "limit",
    once: async () => [
      sign("RSA-SHA256", text, key),
      sign("RSA-SHA256", text, key),
      verify("RSA-SHA256", text, publicKey, signature),
    ],
  });
  return {
    work: "POST /order.json for WALLET_A at the sandbox, committed to the disk",
    contestants: [...servers, cryptography],
    targets: [{ kind: "less-cpu", than: byHand, atLeast: 2.3 }],
    close: async () => {
      await shop.sql.close();
      await sandbox.close();
    },
  };
}
