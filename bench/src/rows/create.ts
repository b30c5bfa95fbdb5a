import { sign } from "node:crypto";
import { alipayWallet } from "@tillkit/alipay";
import { configurePayTool, createOrder, createOrderInput, orThrow, parseInput } from "@tillkit/core";
import { systemClock } from "@tillkit/runtime";
import { inProcess } from "../harness/in-process.js";
import type { BenchRow } from "../harness/row.js";
import { newWalletBKeys } from "../shop/wallet-b-keys.js";
import { openDemoApp, payToolB } from "./demo-app.js";

/** Measures order creation in one process, compared with the wallet's signature alone. */
export async function createRow(): Promise<BenchRow> {
  const demo = await openDemoApp();
  const { appId } = demo;
  const ports = {
    ...demo.ports,
    wallets: { ...demo.ports.wallets, WALLET_B: alipayWallet({ clock: systemClock }) },
  };
  const { keys: credentials, appKey } = newWalletBKeys();
  const payTool = { ...payToolB, appEnv: "PROD", credentials } as const;
  await orThrow(configurePayTool(ports, appId, payTool));
  const text = Buffer.alloc(600, "x");
  let count = 0;
  return {
    work: "creating an order of WALLET_B, signed, in memory",
    contestants: [
      inProcess({
        name: "createOrder in memory, 16 at once",
        role: "ours",
        atOnce: 16,
        once: async () => {
          count += 1;
          const input = parseInput(createOrderInput(ports.policy), {
            amount: 600,
            bizNo: `b-${String(count)}`,
            goodsTitle: "VIP",
            payChannel: "WALLET_B",
            customerIdentity: `u-${String(count % 1_000)}`,
          });
          const created = await input.asyncAndThen((valid) => createOrder(ports, appId, valid));
          return orThrow(created);
        },
      }),
      inProcess({
        name: "one RSA-2048 signature",
        role: "limit",
        once: () => Promise.resolve(sign("RSA-SHA256", text, appKey)),
      }),
    ],
    targets: [{ kind: "speed", than: "one RSA-2048 signature", atLeast: 0.6 }],
  };
}
