import { reconcileOrders } from "@tillkit/core";
import { fetchHandler } from "@tillkit/fetch";
import { onEvent } from "@tillkit/host";
import { notificationsSurface, paymentsSurface } from "@tillkit/core/http";
import { aShop, type Shop } from "@tillkit/memory";
import { type Memberships, memberships } from "./memberships";

const HOUR = 3_600_000;
let shop: Shop;
let sold: Memberships;

beforeEach(async () => {
  shop = await aShop();
  sold = memberships(shop.ports, shop.app.appId, shop.serviceType.serviceTypeNo);
});
afterEach(() => shop.end());

test("a membership starts when the wallet reports the payment", async () => {
  await sold.buy("mia", "buy-1");
  expect(await sold.isMember("mia")).toBe(false);
  await shop.wallets.WALLET_A.notify({ bizNo: "buy-1" });
  expect(await sold.isMember("mia")).toBe(true);
});

test("a membership starts if the customer paid after the order was closed", async () => {
  await sold.buy("mia", "buy-1");
  shop.advance(3 * HOUR);
  await reconcileOrders(shop.ports);
  await shop.wallets.WALLET_A.payLate({ bizNo: "buy-1" });
  expect(await sold.isMember("mia")).toBe(true);
});

test("the surfaces answer requests", async () => {
  const handle = fetchHandler({
    "/pay": paymentsSurface(shop.ports),
    "/wallets": notificationsSurface(shop.ports),
  });
  const { order } = await shop.placeOrder({ bizNo: "buy-2" });
  await shop.wallets.WALLET_A.notify(order);
  const detail = new Request("https://pay.example/pay/detail.json?bizNo=buy-2&customerIdentity=customer-1", {
    headers: { APP_ID: shop.app.appId, APP_SECRET: shop.appSecret },
  });
  expect(await (await handle(detail)).text()).toContain('"paymentStatus":"PAID"');
});

test("an event handler receives the event of the payment", async () => {
  const paid: string[] = [];
  const events = onEvent(shop.ports, {
    name: "memberships",
    types: ["order.paid"],
    handle: async ({ bizNo }) => void paid.push(bizNo),
  });
  await events.runNow();
  const { order } = await shop.placeOrder({ bizNo: "buy-3" });
  await shop.wallets.WALLET_A.notify(order);
  await events.runNow();
  await events.stop();
  expect(paid).toEqual(["buy-3"]);
});
