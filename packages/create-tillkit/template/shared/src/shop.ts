import { randomUUID } from "node:crypto";
import type { TillkitClient } from "@tillkit/client";
import { createFulfiller, type FulfillerOptions } from "@tillkit/client/fulfil";
import type { OrderEvent } from "@tillkit/core";

/** What the shop sells. The amount is in cents. */
const MONTH = { amount: 600, goodsTitle: "One month" };

/** Opens the shop, which calls Tillkit's API and grants each paid purchase once. */
export function openShop(options: FulfillerOptions<unknown> & { readonly client: TillkitClient }) {
  const { orders } = options.client;
  const { register, verify, recheck, checkDue } = createFulfiller(options);
  return {
    /** Run this every minute. It grants after a lost event, and revokes refunded purchases. */
    checkDue,
    /** Returns what opens the wallet: for `NATIVE`, a QR code. With the same `bizNo`, again. */
    async buy(customerIdentity: string, paySource: "APP" | "NATIVE" = "APP", bizNo: string = randomUUID()) {
      const purchase = { bizNo, customerIdentity, amount: MONTH.amount };
      await register({ ...purchase, data: "month" });
      const payload = await orders.create({ ...purchase, ...MONTH, payChannel: "WALLET_A", paySource });
      return { bizNo, payload };
    },
    /** Reads the order, and grants the purchase if it is paid. */
    async check(customerIdentity: string, bizNo: string) {
      const { outcome } = await verify(bizNo, customerIdentity);
      return { outcome };
    },
    /** Receives every event of an order: grants or revokes. If it throws, the event is repeated. */
    async onOrder({ bizNo }: OrderEvent) {
      const result = await recheck(bizNo);
      if (result.outcome === "failed") throw result.error;
      if (result.outcome === "mismatch") throw new Error(`The order ${bizNo} has another amount.`);
    },
  };
}

export type Shop = ReturnType<typeof openShop>;
