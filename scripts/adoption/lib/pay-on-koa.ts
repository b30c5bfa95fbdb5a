import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { alipayWallet } from "@tillkit/alipay";
import {
  configurePayTool,
  createApp,
  orThrow,
  parseInput,
  PAY_CHANNELS,
  refundOrder,
  refundOrderInput,
} from "@tillkit/core";
import { createTillkit } from "@tillkit/host";
import { freePort } from "@tillkit/local-postgres";
import { migrate, pgClient, postgresStores } from "@tillkit/postgres";
import { createKeyring, systemRandom as random } from "@tillkit/runtime";
import {
  type Deliver,
  type DeliveryAnswer,
  deliverOverHttp,
  openSandbox,
  type Payload,
  type Sandbox,
} from "@tillkit/sandbox";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import pg from "pg";
import { z } from "zod";
import { loadPage } from "./load-page.js";
import { untilReady } from "./run-until-ready.js";
import { type RunningProgram, withProgram } from "./with-program.js";

/**
 * Runs a program that mounts `examples/frameworks/on-koa`, and takes a payment at each wallet.
 *
 * Delivers each notification with a changed byte first. Refunds the orders, loads the operators'
 * page, and ends the program while it handles a request. Returns a summary. Throws if an answer is
 * not as expected.
 *
 * @param args - the arguments of Node, which runs in `folder`.
 */
export async function payOnKoa(
  folder: string,
  args: readonly string[],
  databaseUrl: string,
): Promise<string> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const answers: Answers = { changed: [], genuine: [] };
  const sandbox = await openSandbox({ deliver: recordingDeliver(answers), refundTime: 1_000 });
  const shop = await openShop(databaseUrl, `${folder}/keys.json`, baseUrl, sandbox);
  try {
    const env = {
      WORKERS: "2",
      COOKIE_KEYS: "of the rehearsal",
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      PUBLIC_URL: baseUrl,
      TILLKIT_KEYS_FILE: `${folder}/keys.json`,
      TILLKIT_WALLET_A_GATEWAY: sandbox.addresses.walletA,
      TILLKIT_WALLET_B_GATEWAY: sandbox.addresses.walletB,
    };
    await withProgram(process.execPath, args, folder, env, async (program) => {
      await untilReady(`${baseUrl}/health/ready`, program.ended);
      await payAndRefund(baseUrl, shop, sandbox);
      await loadPage(baseUrl);
      await readOwnBody(baseUrl);
      await untilTasksRan(baseUrl);
      await endDuringRequest(baseUrl, program);
    });
    assert.deepEqual(new Set(answers.changed), new Set([false]));
    assert.deepEqual(new Set(answers.genuine), new Set([true]));
    const counts = `${answers.genuine.length} notifications, and refused each with a changed byte`;
    return `paid and refunded at both wallets, accepted ${counts}, and ended in order`;
  } finally {
    await shop.close();
    await sandbox.close();
  }
}

/** What the host answered to the notifications of the sandbox. */
interface Answers {
  readonly changed: boolean[];
  readonly genuine: boolean[];
}

/** Delivers every notification with a changed byte first, and then as it is. */
function recordingDeliver({ changed, genuine }: Answers): Deliver {
  return async (delivery) => {
    const { body } = delivery;
    const middle = Math.floor(body.length / 2);
    const other = body[middle] === "0" ? "1" : "0";
    const forged = body.slice(0, middle) + other + body.slice(middle + 1);
    changed.push(acknowledges(await deliverOverHttp({ ...delivery, body: forged })));
    const answer = await deliverOverHttp(delivery);
    genuine.push(acknowledges(answer));
    return answer;
  };
}

/** Returns whether the wallet repeats no notification after this answer. */
function acknowledges({ status, body }: DeliveryAnswer): boolean {
  return status < 300 && body !== "fail";
}

/** An app of the host, and what its operator may do. */
interface Shop {
  readonly headers: Readonly<Record<string, string>>;
  refund(bizNo: string): Promise<void>;
  close(): Promise<void>;
}

/** Migrates the database, creates the keys, and sets up an app that pays at the sandbox. */
async function openShop(
  databaseUrl: string,
  keysFile: string,
  publicUrl: string,
  { addresses, clock, payTools }: Sandbox,
): Promise<Shop> {
  const schema = "tillkit";
  const sql = pgClient(new pg.Pool({ connectionString: databaseUrl, max: 2 }));
  await orThrow(migrate({ sql, schema }));
  const keyring = await orThrow(createKeyring(keysFile));
  const { ports } = createTillkit({
    stores: postgresStores({ sql, schema, credentialKeys: keyring.credentialKeys }),
    wallets: {
      WALLET_A: wechatPayWallet({ clock, random, gateways: { DEV: addresses.walletA } }),
      WALLET_B: alipayWallet({ clock, gateways: { DEV: addresses.walletB } }),
    },
    keyring,
    publicUrl,
  });
  const { app, appSecret } = await orThrow(createApp(ports, { name: "Notes" }));
  const { appId } = app;
  for (const tool of Object.values(payTools)) await orThrow(configurePayTool(ports, appId, tool));
  return {
    headers: { APP_ID: appId, APP_SECRET: appSecret, "content-type": "application/json" },
    refund: async (bizNo) => {
      const asked = { bizNo, refundNo: `refund-${bizNo}`, reason: "test", operator: "ann" };
      const input = orThrow(parseInput(refundOrderInput(ports.policy), asked));
      await orThrow(refundOrder(ports, appId, input));
    },
    close: () => sql.close(),
  };
}

const created = z.object({ code: z.literal(0), data: z.custom<Payload>() });
const read = z.object({ code: z.literal(0), data: z.object({ paymentStatus: z.string() }) });

async function payAndRefund(baseUrl: string, shop: Shop, sandbox: Sandbox): Promise<void> {
  const { headers } = shop;
  for (const payChannel of PAY_CHANNELS) {
    const purchase = { bizNo: `buy-${payChannel}`, customerIdentity: "user-1" };
    const terms = { ...purchase, amount: 600, goodsTitle: "One month", payChannel };
    const status = async () => {
      const query = String(new URLSearchParams(purchase));
      return read.parse(await json(`${baseUrl}/pay/detail.json?${query}`, { headers })).data.paymentStatus;
    };
    const order = { method: "POST", headers, body: JSON.stringify(terms) };
    const { data } = created.parse(await json(`${baseUrl}/pay/order.json`, order));
    assert.equal(await status(), "PENDING");
    await orThrow(sandbox.simulatorControls.pay(data));
    assert.equal(await status(), "PAID");
    await shop.refund(purchase.bizNo);
    await until("the order was not refunded", async () => (await status()) === "REFUND");
  }
}

/** Checks that the framework still parses the bodies of its own routes. */
async function readOwnBody(baseUrl: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify({ a: 1 }) };
  assert.deepEqual(await json(`${baseUrl}/own`, init), { a: 1 });
}

const health = z.object({
  background: z.object({ reconcile: z.object({ succeededAt: z.number().optional() }).optional() }),
});

async function untilTasksRan(baseUrl: string): Promise<void> {
  await until("no background task ran", async () => {
    const { background } = health.parse(await json(`${baseUrl}/health/ready`));
    return background.reconcile?.succeededAt !== undefined;
  });
}

/** Ends the program while it handles a request, which must get its answer. */
async function endDuringRequest(baseUrl: string, program: RunningProgram): Promise<void> {
  const slow = fetch(`${baseUrl}/slow`);
  await wait(500);
  await Promise.all([
    slow.then(async (answer) => assert.equal(await answer.text(), "done")),
    program.end("SIGTERM"),
  ]);
  assert.match(program.output(), /Tillkit has stopped/u);
}

async function json(url: string, init?: RequestInit): Promise<unknown> {
  const answer = await fetch(url, init);
  const text = await answer.text();
  assert.ok(answer.ok, `${url}: HTTP ${answer.status} ${text}`);
  return JSON.parse(text);
}

/** Waits until the condition is true, because refunds and tasks take seconds. */
async function until(otherwise: string, condition: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 60_000;
  while (!(await condition())) {
    assert.ok(Date.now() < giveUpAt, `${otherwise} in time`);
    await wait(200);
  }
}
