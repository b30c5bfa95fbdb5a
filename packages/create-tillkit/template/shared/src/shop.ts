import { randomUUID } from "node:crypto";
import type { CreateOrderInput, TillkitClient } from "@tillkit/client";
import { createFulfiller, type FulfillerOptions } from "@tillkit/client/fulfil";
import type { OrderEvent } from "@tillkit/core";

/** What the shop sells. The amounts are in cents. */
const PRODUCTS = {
  month: { amount: 600, goodsTitle: "One month" },
  year: { amount: 6_000, goodsTitle: "One year" },
};

/** With the `bizNo` of an earlier call, `buy` returns the same order again. */
interface BuyOptions extends Partial<Pick<CreateOrderInput, "bizNo" | "payChannel" | "paySource">> {
  readonly customerIdentity: string;
  readonly product?: keyof typeof PRODUCTS;
}

/** Opens the shop, which calls Tillkit's API and grants each paid purchase once. */
export function openShop(options: FulfillerOptions<unknown> & { readonly client: TillkitClient }) {
  const { orders } = options.client;
  const { register, verify, recheck, checkDue } = createFulfiller(options);
  return {
    /** Run this every minute. It grants after a lost event, and revokes refunded purchases. */
    checkDue,
    /** Returns what opens the wallet: for `NATIVE` a `code_url`, or `qr_code` from Alipay. */
    async buy({ customerIdentity, product = "month", bizNo = randomUUID(), ...wallet }: BuyOptions) {
      const purchase = { bizNo, customerIdentity, amount: PRODUCTS[product].amount };
      await register({ ...purchase, data: product });
      const how = { payChannel: "WALLET_A", paySource: "APP", ...wallet } as const;
      return { bizNo, payload: await orders.create({ ...purchase, ...PRODUCTS[product], ...how }) };
    },
    /** Reads the order, and grants the purchase if it is paid. */
    async check(customerIdentity: string, bizNo: string) {
      const result = await verify(bizNo, customerIdentity);
      return { outcome: result.outcome, ...(result.outcome === "not-paid" ? result : {}) };
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
