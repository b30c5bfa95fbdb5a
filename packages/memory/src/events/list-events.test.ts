import { orThrow } from "@tillkit/core";
import { listEvents } from "@tillkit/core/operators";
import { expect, it } from "vitest";
import { aShop } from "../shop/a-shop.js";

it("listEvents returns the events of orders with the ids that handlers receive, oldest first", async () => {
  const shop = await aShop();
  const { serviceTypeNo } = shop.serviceType;
  const { order } = await shop.placeOrder({ bizNo: "b-1", serviceTypeNo });
  await shop.wallets.WALLET_A.notify(order);
  const until = shop.ports.clock.now();
  const { appId, id } = order;
  const paid = { appId, bizNo: "b-1", cause: "PAID" };
  const items = [
    { ...paid, id: `${id}-2-0`, type: "order.paid" },
    { ...paid, id: `${id}-2-1`, type: "service.changed" },
  ];
  const all = await listEvents(shop.ports, { from: 0, limit: 10 });
  expect(orThrow(all)).toMatchObject({ items, hasMore: false, until });
  const ofOther = await listEvents(shop.ports, { apps: ["other"], from: 0, limit: 10 });
  expect(orThrow(ofOther).items).toEqual([]);
  await shop.end();
});

it("listEvents returns only the current time, and no events, if there is no start", async () => {
  const shop = await aShop();
  await shop.wallets.WALLET_A.notify((await shop.placeOrder()).order);
  const listed = await listEvents(shop.ports, { limit: 10 });
  expect(orThrow(listed)).toEqual({ items: [], hasMore: false, until: shop.ports.clock.now() });
  await shop.end();
});

it("listEvents always advances, even if one millisecond has more entries than the limit", async () => {
  const shop = await aShop();
  for (const bizNo of ["b-1", "b-2", "b-3"])
    await shop.wallets.WALLET_A.notify((await shop.placeOrder({ bizNo })).order);
  const [first] = (await orThrow(listEvents(shop.ports, { from: 0, limit: 10 }))).items;
  const at = first?.at ?? 0;
  const one = await orThrow(listEvents(shop.ports, { from: at, limit: 1 }));
  expect(one.hasMore).toBe(true);
  expect(one.until).toBe(at + 1);
  await shop.end();
});
