import { TillkitClient } from "@tillkit/client";
import { memoryFulfilmentStore } from "@tillkit/client/fulfil";
import { expect, it } from "vitest";
import { backend } from "./backend.js";
import { memoryEntitlements } from "./entitlements.js";

/** Creates a backend whose service answers every history with one paid order. */
function backendWith(attachData: unknown) {
  const order = { id: "1", bizNo: "b-1", amount: 600, paymentStatus: "PAID", attachData };
  const data = { payOrderList: [order], totalCount: 1 };
  const fetch = async () => Response.json({ code: 0, msg: "success", data });
  const client = new TillkitClient({ baseUrl: "https://pay.example", appId: "a", appSecret: "s", fetch });
  const entitlements = memoryEntitlements();
  return { shop: backend({ client, store: memoryFulfilmentStore(), entitlements }), entitlements };
}

it("restores an order whose attachData names a product", async () => {
  const { shop, entitlements } = backendWith({ productId: "month" });
  await shop.restore("user-1");
  expect(entitlements.list("user-1")).toEqual([
    { bizNo: "b-1", customerIdentity: "user-1", productId: "month" },
  ]);
});

it.each([undefined, "month", { productId: "castle" }, { productId: "toString" }])(
  "leaves out an order whose attachData names no product of this shop: %o",
  async (attachData) => {
    const { shop, entitlements } = backendWith(attachData);
    expect(await shop.restore("user-1")).toEqual(new Map());
    expect(entitlements.list("user-1")).toEqual([]);
  },
);
