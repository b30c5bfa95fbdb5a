import { createApp, orThrow } from "@tillkit/core";
import { aShop } from "@tillkit/memory";
import { expect, it } from "vitest";
import { refundAsOperator } from "./refund-as-operator.js";

it("refundAsOperator refunds an amount, then the rest, in the app that has the order", async () => {
  const shop = await aShop();
  await orThrow(createApp(shop.ports, { name: "without orders" }));
  const { order } = await shop.placeOrder({ bizNo: "buy-1", amount: 600 });
  await shop.wallets.WALLET_A.notify(order);
  const refund = (amount?: number) => refundAsOperator(shop.ports, { bizNo: "buy-1", amount });
  expect(await orThrow(refund(100))).toMatchObject({ bizNo: "buy-1", amount: 100, status: "CONFIRMED" });
  expect(await orThrow(refund())).toMatchObject({ bizNo: "buy-1", amount: 500, status: "CONFIRMED" });
  await shop.end();
});

it("refundAsOperator returns the failure of the host", async () => {
  const shop = await aShop();
  const refund = (bizNo: string) => refundAsOperator(shop.ports, { bizNo });
  expect(await refund("none")).toMatchObject({ error: { name: "order.not-found" } });
  const { order } = await shop.placeOrder({ bizNo: "buy-1" });
  expect(await refund(order.bizNo)).toMatchObject({ error: { name: "order.not-paid" } });
  await shop.end();
});
