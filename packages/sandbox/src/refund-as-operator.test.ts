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
  expect(await refund(100)).toMatchObject({ status: 200, body: { bizNo: "buy-1", amount: 100 } });
  expect(await refund()).toMatchObject({ status: 200, body: { bizNo: "buy-1", amount: 500 } });
  await shop.end();
});

it("refundAsOperator returns the failure of the host with its status", async () => {
  const shop = await aShop();
  const refund = (bizNo: string) => refundAsOperator(shop.ports, { bizNo });
  expect(await refund("none")).toMatchObject({ status: 404, body: { name: "order.not-found" } });
  const { order } = await shop.placeOrder({ bizNo: "buy-1" });
  expect(await refund(order.bizNo)).toMatchObject({ body: { name: "order.not-paid" } });
  await shop.end();
});
