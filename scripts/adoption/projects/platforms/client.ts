// Calls a service in memory through the client, on whatever runtime this program runs.
import assert from "node:assert/strict";
import { TillkitClient } from "@tillkit/client";
import { limitedSurfaces } from "@tillkit/core/http";
import { fetchHandler } from "@tillkit/fetch";
import { aShop } from "@tillkit/memory";

const shop = await aShop();
const answer = fetchHandler({ "/pay": limitedSurfaces(shop.ports).payments });
const client = new TillkitClient({
  baseUrl: "https://pay.example/pay",
  appId: shop.app.appId,
  appSecret: shop.appSecret,
  fetch: (url, init) => answer(new Request(url, init)),
});
shop.faults.loseAnswer("WALLET_A", "prepare"); // the client repeats the creation
const key = { bizNo: "order-1001", customerIdentity: "customer-7" };
await client.orders.create({ ...key, amount: 600, goodsTitle: "Membership", payChannel: "WALLET_A" });
await shop.wallets.WALLET_A.notify(await client.orders.get(key));
for await (const { paymentStatus } of client.orders.list(key)) assert.equal(paymentStatus, "PAID");
await shop.end();

// Without a server: the runtime's own `fetch` fails, and the error has a type.
const alone = new TillkitClient({
  baseUrl: "http://127.0.0.1:1",
  appId: "app_1",
  appSecret: "s",
  retries: 0,
});
await assert.rejects(alone.payTools.list(), { name: "TillkitConnectionError", attempts: 1 });
console.log("created, paid and listed");
