import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { onEvent } from "@tillkit/host";
import { aShop } from "@tillkit/memory";
import { webhookHandler } from "./webhook-handler.js";
import { type ReceivedWebhook, webhookReceiver } from "./webhook-receiver.js";

// 1. The receiver: usually another team's service. Both sides know the secret.
const secret = `whsec_${randomBytes(24).toString("base64")}`;
const received: ReceivedWebhook[] = [];
const receiver = webhookReceiver(secret, (webhook) => void received.push(webhook));
receiver.listen(0, "127.0.0.1");
await once(receiver, "listening");
const address = receiver.address();
assert(address !== null && typeof address !== "string");
const url = `http://127.0.0.1:${String(address.port)}/hooks`;
console.log("the receiver listens");

// 2. The host: a shop in memory. A host with createTillkit uses the option eventHandlers.
const shop = await aShop();
const webhooks = onEvent(shop.ports, webhookHandler({ url, secret }));
await webhooks.runNow();
const { order } = await shop.placeOrder({ bizNo: "order-1001" });
await shop.wallets.WALLET_A.notify(order);
await webhooks.runNow();
assert.deepEqual(
  received.map(({ body }) => body),
  [
    {
      type: "order.paid",
      timestamp: new Date(shop.ports.clock.now()).toISOString(),
      data: { appId: shop.app.appId, bizNo: "order-1001" },
    },
  ],
);
console.log(`received a signed webhook: order.paid of ${order.bizNo}`);

// 3. A webhook with a wrong signature is refused.
const forged = await fetch(url, { method: "POST", body: "{}", headers: { "webhook-id": "x" } });
assert.equal(forged.status, 400);
assert.equal(received.length, 1);
console.log("refused a webhook without a valid signature");

await webhooks.stop();
receiver.close();
