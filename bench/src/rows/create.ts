import { generateKeyPairSync, sign } from "node:crypto";
import { createOrder, createOrderInput, parseInput } from "@tillkit/core";
import { inProcess } from "../harness/in-process.js";
import type { Row } from "../harness/row.js";
import { openDemoApp } from "./demo-app.js";

/** Everything creating an order costs beside the wallet's signature, compared with one such signature. */
export async function createRow(): Promise<Row> {
  const { ports, appId } = await openDemoApp();
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const text = Buffer.alloc(600, "x");
  let count = 0;
  return {
    work: "creating an order, everything in memory and unsigned",
    contestants: [
      inProcess({
        name: "createOrder, WALLET_B, in memory, unsigned",
        role: "ours",
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
          return created._unsafeUnwrap();
        },
      }),
      inProcess({
        name: "one RSA-2048 signature",
        role: "limit",
        once: () => Promise.resolve(sign("RSA-SHA256", text, privateKey)),
      }),
    ],
    targets: [{ kind: "speed", than: "one RSA-2048 signature", atLeast: 0.6 }],
  };
}
