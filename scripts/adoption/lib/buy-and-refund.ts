import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { z } from "zod";

/** The addresses of a project of `create-tillkit`. */
export interface Buyer {
  readonly shop: string;
  readonly operators: string;
}

const bought = z.object({ bizNo: z.string(), payload: z.record(z.string(), z.unknown()) });
const outcome = z.object({ outcome: z.string() });
const session = z.object({ csrfToken: z.string() });
const order = z.object({ appId: z.string(), bizNo: z.string(), paymentStatus: z.string() });

/**
 * Buys at the shop, pays at the simulated wallet, and refunds on the operators' page.
 *
 * Throws if an answer is not as expected.
 */
export async function buyAndRefund({ shop, operators }: Buyer): Promise<void> {
  const post = (url: string, body?: object, headers: Readonly<Record<string, string>> = {}) =>
    json(url, {
      method: "POST",
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const { bizNo, payload } = bought.parse(await post(`${shop}/buy/user-1`));
  const check = async () => outcome.parse(await json(`${shop}/bought/user-1/${bizNo}`)).outcome;
  assert.equal(await check(), "not-paid");
  await post(`${operators}/sandbox/pay`, { payload });
  await until("the purchase was not granted", async () => (await check()).startsWith("granted"));

  const api = `${operators}/dashboard/api`;
  const { csrfToken } = session.parse(await json(`${api}/session`));
  const orders = z.object({ items: z.array(order) }).parse(await json(`${api}/orders`)).items;
  const paid = orders.find((one) => one.bizNo === bizNo);
  assert.equal(paid?.paymentStatus, "PAID");
  const refund = { refundNo: "refund-1", amount: 600, reason: "bought twice" };
  const change = { "x-csrf-token": csrfToken, "x-change-id": randomUUID() };
  await post(`${api}/orders/${paid.appId}/${bizNo}/refunds`, refund, change);
  const refunded = async () => {
    const { items } = z.object({ items: z.array(order) }).parse(await json(`${api}/orders`));
    return items.some((one) => one.bizNo === bizNo && one.paymentStatus === "REFUND");
  };
  await until("the order was not refunded", refunded);
}

/** Waits until the condition is true, because the events of wallets arrive later. */
async function until(otherwise: string, condition: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 60_000;
  while (!(await condition())) {
    assert.ok(Date.now() < giveUpAt, `${otherwise} in time`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function json(url: string, init?: RequestInit): Promise<unknown> {
  const answer = await fetch(url, init);
  const text = await answer.text();
  assert.ok(answer.ok, `${url}: HTTP ${answer.status} ${text}`);
  return JSON.parse(text);
}
