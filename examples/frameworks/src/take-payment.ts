import assert from "node:assert/strict";
import * as z from "zod";

const credentials = z.object({ appId: z.string(), appSecret: z.string() });
const notification = z.object({
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});
const answer = z.object({ code: z.number(), data: z.object({ paymentStatus: z.string().optional() }) });

/**
 * Takes a payment at a running demo host, over HTTP only.
 *
 * Creates an order, pays it, delivers the wallet's notification, refunds the order and reads it
 * after each step. Throws if an answer is not as expected.
 */
export async function takePayment(baseUrl: string): Promise<void> {
  const send = async (path: string, init: RequestInit = {}) => fetch(`${baseUrl}${path}`, init);
  const json = async (path: string, init?: RequestInit): Promise<unknown> => (await send(path, init)).json();

  const { appId, appSecret } = credentials.parse(await json("/demo/app"));
  const headers = { APP_ID: appId, APP_SECRET: appSecret, "content-type": "application/json" };
  const purchase = { bizNo: "buy-1001", customerIdentity: "user-1" };
  const terms = { ...purchase, amount: 600, goodsTitle: "One month", payChannel: "WALLET_A" };
  const status = async () => {
    const order = await json(`/pay/detail.json?${String(new URLSearchParams(purchase))}`, { headers });
    return answer.parse(order).data.paymentStatus;
  };

  const ordered = await json("/pay/order.json", { method: "POST", headers, body: JSON.stringify(terms) });
  assert.equal(answer.parse(ordered).code, 0);
  assert.equal(await status(), "PENDING");

  const notice = notification.parse(await json("/demo/pay/buy-1001", { method: "POST" }));
  const forged = { method: "POST", headers: notice.headers, body: notice.body.replace("600", "601") };
  assert.notEqual((await send(notice.path, forged)).status, 204);
  assert.equal(await status(), "PENDING");
  const acknowledged = await send(notice.path, { ...forged, body: notice.body });
  assert.ok(acknowledged.ok, `the notification was answered with ${acknowledged.status}`);
  assert.equal(await status(), "PAID");

  await json("/demo/refund/buy-1001", { method: "POST" });
  assert.equal(await status(), "REFUND");
}
