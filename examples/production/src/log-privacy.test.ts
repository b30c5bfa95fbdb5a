import { readFileSync } from "node:fs";
import { parseInput, refundOrder, refundOrderInput } from "@tillkit/core";
import { expectOk } from "@tillkit/contract-tests";
import { pgClient } from "@tillkit/postgres";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { readConfig } from "./config.js";
import { openLogger } from "./logger.js";
import { type Caller, callerOf } from "./rehearsal/caller.js";
import { type Host, startHost } from "./start-host.js";
import { openWorld, type World } from "./testing/world.js";

const lines: string[] = [];
let world: World;
let host: Host;
let caller: Caller;

beforeAll(async () => {
  world = await openWorld();
  const config = readConfig({ ...world.environment, LOG_LEVEL: "debug" })._unsafeUnwrap();
  const logger = openLogger("debug", { write: (line) => void lines.push(line) });
  host = (await startHost(config, logger))._unsafeUnwrap();
  caller = callerOf(`http://127.0.0.1:${host.api.port}`, world);
});

afterAll(async () => {
  await host.stop().done;
  await world.clean();
});

const answer = z.object({ code: z.number(), traceId: z.string().optional() });
const loggedIn = z.object({ data: z.object({ token: z.string(), customerId: z.string() }) });
const payload = z.object({ data: z.object({ biz_content: z.string() }) });
const keyring = z.record(z.string(), z.array(z.object({ key: z.string() })));

it("tells of a login, a purchase, a refund and troubles without a word about whom", async () => {
  const { environment, gateway, appSecret, ownerUrl } = world;
  const person = { customerIdentity: "user-4711", customerName: "Zhang Wei" };
  const order = { ...person, bizNo: "biz-0815", goodsTitle: "Blue sofa", attachData: '{"gift":"roses"}' };
  const codeOf = async (asked: Promise<unknown>) => answer.parse(await asked).code;

  expect(await codeOf(caller.get("/sms.json?mobileNo=13800138000"))).toBe(0);
  const [sms] = gateway.messages;
  const login = { mobileNo: "13800138000", authCode: sms?.authCode };
  const { token, customerId } = loggedIn.parse(await caller.post("/auth.json", login)).data;
  expect(await codeOf(caller.get(`/checkAuth.json?token=${token}`))).toBe(0);
  expect(await codeOf(caller.post("/auth.json", { ...login, authCode: "000000" }))).toBe(10020);

  const paid = { ...order, amount: 600, payChannel: "WALLET_B" };
  const made = payload.parse(await caller.post("/order.json", paid));
  const { out_trade_no: outTradeNo } = z
    .object({ out_trade_no: z.string() })
    .parse(JSON.parse(made.data.biz_content));
  const admin = `http://127.0.0.1:${host.admin.port}`;
  await fetch(`${admin}/sandbox/pay`, { method: "POST", body: JSON.stringify({ outTradeNo }) });
  const query = "bizNo=biz-0815&customerIdentity=user-4711";
  expect(await caller.get(`/detail.json?${query}`)).toMatchObject({ data: { paymentStatus: "PAID" } });
  expect(await codeOf(caller.get("/history.json?customerIdentity=user-4711"))).toBe(0);
  expect(await codeOf(caller.get("/customerServiceMgmt/user-4711.json"))).toBe(0);
  const refund = {
    bizNo: "biz-0815",
    refundNo: "case-1",
    amount: 100,
    reason: "fell apart",
    operator: "Li Na",
  };
  const input = parseInput(refundOrderInput(host.ports.policy), refund)._unsafeUnwrap();
  await expectOk(refundOrder(host.ports, world.appId, input));

  // Troubles: addresses and bodies nobody asked for, a wrong secret, a table that is not there.
  const api = `http://127.0.0.1:${host.api.port}`;
  await fetch(`${api}/pay/13800138000`);
  await fetch(`${api}/user-4711?mobileNo=13800138000`);
  await fetch(`${api}/wallets/notify/WALLET_A/user-4711/biz-0815`, { method: "POST", body: "13800138000" });
  await fetch(`${api}/misc/v2/downloads-api?id=user-4711&start=13800138000&end=x`);
  expect(await codeOf(callerOf(api, { appId: "user-4711", appSecret }).get("/payTools.json"))).toBe(1001);
  const owner = pgClient(new pg.Pool({ connectionString: ownerUrl, max: 1 }));
  await owner.script("alter table tillkit.sessions rename to gone");
  expect(await codeOf(caller.get(`/checkAuth.json?token=${token}`))).toBe(99998);
  await owner.script("alter table tillkit.gone rename to sessions");
  await owner.close();

  const keys = Object.values(
    keyring.parse(JSON.parse(readFileSync(environment["KEYRING_FILE"] ?? "", "utf8"))),
  );
  const journal = readFileSync(environment["SANDBOX_STATE_FILE"] ?? "", "utf8");
  const privateKeys = [...journal.matchAll(/BEGIN PRIVATE KEY-----\\n([^\\]+)/g)].map(([, key = ""]) => key);
  expect(privateKeys.length).toBeGreaterThan(0);
  const secrets = [appSecret, token, sms?.authCode ?? "", gateway.token, ...privateKeys];
  const theirs = [
    "13800138000",
    customerId,
    ...Object.values(order),
    "Li Na",
    "fell apart",
    "roses",
    outTradeNo,
  ];
  const database = new URL(environment["DATABASE_URL"] ?? "").password;
  const hidden = [...secrets, ...theirs, database, ...keys.flat().map(({ key }) => key)];
  const metrics = await (await fetch(`${admin}/metrics`)).text();
  // The order's own number is how an operator finds it, and is written down; metrics name nobody and nothing.
  const found = hidden.filter((secret) => lines.join("").includes(secret));
  expect(found).toEqual([outTradeNo]);
  expect(hidden.filter((secret) => metrics.includes(secret))).toEqual([]);
});

it("has a line for every request, with the trace id the caller got", async () => {
  const failed = answer.parse(await caller.get("/detail.json?bizNo=none"));
  const download = await fetch(`http://127.0.0.1:${host.api.port}/misc/v2/downloads-api`);
  const line = (traceId: string | null | undefined) =>
    lines
      .map((text): unknown => JSON.parse(text))
      .find((entry) => JSON.stringify(entry).includes(String(traceId)));
  expect(line(failed.traceId)).toMatchObject({
    level: "info",
    method: "GET",
    route: "/detail.json",
    code: failed.code,
    status: 200,
    msg: "request",
  });
  expect(line(download.headers.get("x-trace-id"))).toMatchObject({
    route: "/misc/v2/downloads-api",
    code: "none",
    status: 400,
  });
});
