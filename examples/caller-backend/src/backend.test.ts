import { describe, expect, it } from "vitest";
import { backend } from "./backend.js";
import { memoryRecords } from "./records.js";
import type { OrderRecord, ServiceClient } from "./service-client.js";

const purchase = {
  bizNo: "b-1",
  customerIdentity: "user-1",
  productId: "month",
  amount: 600,
  payChannel: "WALLET_B",
} as const;

/** Creates a shop with one purchase, whose service answers every call with `order`. */
async function shopWith(order: Partial<OrderRecord>) {
  const record = { id: "1", bizNo: "b-1", amount: 600, paymentStatus: "PAID", attachData: {}, ...order };
  const service: ServiceClient = {
    createOrder: async () => ({ ok: true, data: {} }),
    getOrder: async () => ({ ok: true, data: record }),
    listPaid: async () => ({ ok: true, data: { payOrderList: [record], totalCount: 1 } }),
  };
  const records = memoryRecords();
  await records.addPurchase(purchase);
  return { shop: backend(service, records), records };
}

describe("verifyPurchase", () => {
  it("grants once when many verify at the same time", async () => {
    const { shop } = await shopWith({});
    const all = await Promise.all(Array.from({ length: 20 }, () => shop.verifyPurchase("user-1", "b-1")));
    expect(all.filter(({ outcome }) => outcome === "granted")).toHaveLength(1);
    expect(all.filter(({ outcome }) => outcome === "granted-before")).toHaveLength(19);
  });

  it.each([{ amount: 1 }, { bizNo: "b-2" }])(
    "refuses an order that is not the agreed one: %o",
    async (order) => {
      const { shop, records } = await shopWith(order);
      expect(await shop.verifyPurchase("user-1", "b-1")).toEqual({ outcome: "mismatch" });
      expect(await records.listGranted()).toEqual([]);
    },
  );

  it.each(["PENDING", "CLOSE", "REFUND", "SOMETHING_NEW"])("grants nothing for %s", async (paymentStatus) => {
    const { shop, records } = await shopWith({ paymentStatus });
    expect(await shop.verifyPurchase("user-1", "b-1")).toEqual({ outcome: "not-paid", paymentStatus });
    expect(await records.listGranted()).toEqual([]);
  });

  it("knows no purchase of another customer, and none that was never made", async () => {
    const { shop } = await shopWith({});
    expect(await shop.verifyPurchase("user-2", "b-1")).toEqual({ outcome: "unknown-purchase" });
    expect(await shop.verifyPurchase("user-1", "b-2")).toEqual({ outcome: "unknown-purchase" });
  });
});

describe("restore", () => {
  it("leaves out orders whose attachData names no product of this shop", async () => {
    for (const attachData of [undefined, "month", { productId: "castle" }, { productId: "toString" }]) {
      const { shop } = await shopWith({ attachData });
      expect(await shop.restore("user-1")).toEqual({ ok: true, data: [] });
    }
  });

  it("does not bring back what was revoked", async () => {
    const { shop, records } = await shopWith({ attachData: { productId: "month" } });
    await shop.restore("user-1");
    await records.revoke("b-1");
    expect(await shop.restore("user-1")).toEqual({ ok: true, data: [] });
    expect(await records.listGranted("user-1")).toEqual([]);
  });
});
