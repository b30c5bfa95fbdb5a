import { once } from "node:events";
import { orThrow } from "@tillkit/core";
import { onEvent } from "@tillkit/host";
import { aShop } from "@tillkit/memory";
import { expect, it } from "vitest";
import { webhookHandler } from "./webhook-handler.js";
import { type ReceivedWebhook, webhookReceiver } from "./webhook-receiver.js";

const SECRET = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;

/** Pays an order on a host whose webhooks are signed with `secret`. */
async function webhooksSignedWith(secret: string) {
  const received: ReceivedWebhook[] = [];
  const receiver = webhookReceiver(SECRET, (webhook) => void received.push(webhook));
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const address = receiver.address();
  if (address === null || typeof address === "string") throw new Error("The receiver has no port.");
  const url = `http://127.0.0.1:${String(address.port)}/`;
  const shop = await aShop();
  const webhooks = onEvent(shop.ports, webhookHandler({ url, secret }));
  await webhooks.runNow();
  const { order } = await shop.placeOrder();
  await shop.wallets.WALLET_A.notify(order);
  await webhooks.runNow();
  const key = { handler: "webhooks", appId: order.appId, bizNo: order.bizNo };
  const replay = async () => {
    await orThrow(shop.ports.eventDeliveries.replay(key, { seq: 1, index: 0 }, shop.ports.clock.now()));
    await webhooks.runNow();
  };
  const delivery = async () => await orThrow(shop.ports.eventDeliveries.find(key));
  const end = async () => {
    await webhooks.stop();
    receiver.close();
  };
  return { order, received, replay, delivery, end };
}

it("sends a signed webhook, which the receiver passes on once", async () => {
  const { order, received, replay, end } = await webhooksSignedWith(SECRET);
  await replay();
  expect(received).toMatchObject([{ id: `${order.id}-2-0`, body: { type: "order.paid" } }]);
  expect(JSON.stringify(received)).not.toContain(order.customerIdentity);
  await end();
});

it("tries again if the receiver refuses the signature", async () => {
  const other = `whsec_${Buffer.alloc(24, 8).toString("base64")}`;
  const { received, delivery, end } = await webhooksSignedWith(other);
  expect(received).toEqual([]);
  expect(await delivery()).toMatchObject({ tries: 1, next: { seq: 2, index: 0 } });
  await end();
});
