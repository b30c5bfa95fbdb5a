import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { submitForm, textOf } from "./buy-on-page.js";

/** The addresses of a project of `create-tillkit`. */
export interface Buyer {
  readonly shop: string;
  readonly operators: string;
}

const bought = z.object({ bizNo: z.string(), payload: z.record(z.string(), z.unknown()) });
const outcome = z.object({ outcome: z.string() });
const session = z.object({ csrfToken: z.string() });
const order = z.object({ appId: z.string(), bizNo: z.string(), id: z.string(), paymentStatus: z.string() });
const orderList = z.object({ items: z.array(order) });
const hostFile = z.object({ baseUrl: z.string(), appId: z.string(), appSecret: z.string() });

/**
 * Buys at the shop, pays at the simulated wallet, and refunds on the operators' page.
 *
 * Throws if an answer is not as expected.
 */
export async function buyAndRefund(buyer: Buyer): Promise<void> {
  const { operators } = buyer;
  const { bizNo, payload, check } = await buy(buyer);
  assert.equal(await check(), "not-paid");
  await post(`${operators}/sandbox/pay`, { payload });
  await until("the purchase was not granted", async () => (await check()).startsWith("granted"));

  const api = `${operators}/dashboard/api`;
  const { csrfToken } = session.parse(await json(`${api}/session`));
  const paid = await findOrder(buyer, bizNo);
  assert.equal(paid.paymentStatus, "PAID");
  const refund = { refundNo: "refund-1", amount: 600, reason: "bought twice" };
  const change = { "x-csrf-token": csrfToken, "x-change-id": randomUUID() };
  await post(`${api}/orders/${paid.appId}/${bizNo}/refunds`, refund, change);
  await untilRefunded(buyer, bizNo);
}

/**
 * Does the same with `tillkit sandbox` in the folder of the project, without options.
 *
 * @param tillkit - runs the command line there, and returns its output.
 */
export async function buyAndRefundByCommand(
  buyer: Buyer,
  project: string,
  tillkit: (...args: readonly string[]) => Promise<string>,
): Promise<void> {
  const { bizNo, check } = await buy(buyer);
  const { id } = await findOrder(buyer, bizNo);
  assert.match(await tillkit("sandbox", "pay", id), /is PAID at the wallet\. The host acknowledged/u);
  assert.match(await tillkit("sandbox", "notify", id), /the host acknowledged 1\./u);
  await until("the purchase was not granted", async () => (await check()).startsWith("granted"));
  assert.match(await tillkit("sandbox", "refund", bizNo, "--amount", "100"), / ¥1\.00 /u);
  await tillkit("sandbox", "refund", bizNo);
  await untilRefunded(buyer, bizNo);

  await tillkit("sandbox", "fault", "WALLET_A.query", "timeout");
  assert.match(await tillkit("sandbox", "fault"), /^WALLET_A\.query +timeout$/mu);
  await tillkit("sandbox", "fault", "WALLET_A.query");
  const { baseUrl, appId, appSecret } = hostFile.parse(
    JSON.parse(await readFile(`${project}/.tillkit/host.json`, "utf8")),
  );
  const headers = { APP_ID: appId, APP_SECRET: appSecret };
  await json(`${baseUrl}/sms.json?mobileNo=13800138000`, { headers });
  assert.match(await tillkit("sandbox", "sms"), / \+8613800138000 +\d+$/mu);
}

/** Buys on the page that the README of the project shows, and pays at the simulated wallet. */
export async function buyOnOwnPage({ shop, operators }: Buyer): Promise<void> {
  const page = await submitForm(`${shop}/month`);
  const [code = ""] = /weixin:\/\/wxpay\/[\w?=]+/u.exec(await textOf(await fetch(page))) ?? [];
  await post(`${operators}/sandbox/pay`, { payload: { code_url: code } });
  await until("the page did not show the purchase", async () =>
    /<p>granted/u.test(await textOf(await fetch(page))),
  );
}

async function buy({ shop }: Buyer) {
  const { bizNo, payload } = bought.parse(await post(`${shop}/buy/user-1`));
  const check = async () => outcome.parse(await json(`${shop}/bought/user-1/${bizNo}`)).outcome;
  return { bizNo, payload, check };
}

/** Finds the order as the operators' page does. */
async function findOrder({ operators }: Buyer, bizNo: string) {
  const { items } = orderList.parse(await json(`${operators}/dashboard/api/orders`));
  const found = items.find((one) => one.bizNo === bizNo);
  assert.ok(found !== undefined, `no order ${bizNo}`);
  return found;
}

function untilRefunded(buyer: Buyer, bizNo: string): Promise<void> {
  const refunded = async () => (await findOrder(buyer, bizNo)).paymentStatus === "REFUND";
  return until("the order was not refunded", refunded);
}

function post(url: string, body?: object, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  return json(url, {
    method: "POST",
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
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
