import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectOk, hostileRequests } from "@tillkit/contract-tests";
import {
  createDownloadsClient,
  orThrow,
  type ServiceEvent,
  parseInput,
  PAY_CHANNELS,
  refundOrder,
  refundOrderInput,
} from "@tillkit/core";
import { pgClient } from "@tillkit/postgres";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { readConfig } from "../../../server/src/config.js";
import { openLogger } from "../../../server/src/log/logger.js";
import { type Caller, callerOf } from "../../../server/src/rehearsal/caller.js";
import { type Host, startHost } from "../../../server/src/process/start-host.js";
import { openFixture, type TestFixture } from "./testing/fixture.js";

/** The end of every hostile text, which does not occur by chance. */
const MARK = "zq7x";
const MOBILE_NO = "13917264853";
const PERSON = { customerIdentity: "user-4711", customerName: "Zhang Wei" } as const;
const ORDER = { ...PERSON, goodsTitle: "Blue sofa", attachData: '{"gift":"roses"}', amount: 600 } as const;
/** The customer's id at each wallet. */
const PAYERS = { WALLET_A: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o", WALLET_B: "2088102146225135" } as const;
/** The sandbox's customer of Alipay, whom an order without a payer gets. */
const ALIPAY_CUSTOMER = { id: "2088102116773037", login: "san***@sandbox.com" } as const;
const PAYER_ADDRESS = "203.0.113.77";
const OPERATOR = { reason: "fell apart", operator: "Li Na" } as const;

const lines: string[] = [];
/** Returns the events that the host's observer received. */
let serviceEvents: () => readonly ServiceEvent[];
/** The responses of failed requests. */
const refusals: string[] = [];
let fixture: TestFixture;
let host: Host;
let caller: Caller;
let api: string;
let apiPort = 0;
/** What the wallets sent to the notification URL. */
const delivered: Buffer[] = [];

/** The address of the notification URL, which must be known before the host has its port. */
const relay = createServer((near) => {
  const far = connect(apiPort, "127.0.0.1");
  near.on("data", (part: Buffer) => delivered.push(part));
  near.pipe(far).pipe(near);
  near.on("error", () => far.destroy());
  far.on("error", () => near.destroy());
});

beforeAll(async () => {
  await once(relay.listen(0, "127.0.0.1"), "listening");
  const address = relay.address();
  const relayPort = typeof address === "object" && address !== null ? address.port : 0;
  fixture = await openFixture();
  const policyFile = join(await mkdtemp(join(tmpdir(), "tillkit-policy-")), "policy.json");
  await writeFile(policyFile, '{ "smsCooldown": 0 }');
  const own = {
    TILLKIT_POLICY_FILE: policyFile,
    PUBLIC_URL: `http://127.0.0.1:${relayPort}`,
    MAX_CONCURRENT_REQUESTS: "8",
    MAX_QUEUED_REQUESTS: "0",
  };
  const config = orThrow(readConfig({ ...fixture.environment, ...own, LOG_LEVEL: "debug" }));
  const logger = openLogger("debug", { write: (line) => void lines.push(line) });
  host = await orThrow(startHost(config, logger));
  const received = vi.spyOn(host.ports.observer, "onEvent");
  serviceEvents = () => received.mock.calls.map(([event]) => event);
  apiPort = host.api.port;
  api = `http://127.0.0.1:${apiPort}`;
  caller = callerOf(api, fixture);
});

afterAll(async () => {
  relay.close();
  await host.stop().done;
  await fixture.clean();
});

const answer = z.object({ code: z.number(), traceId: z.string().optional() });
const loggedIn = z.object({ data: z.object({ token: z.string(), customerId: z.string() }) });
const keyring = z.record(z.string(), z.array(z.object({ key: z.string() })));
const history = z.object({ data: z.object({ payOrderList: z.array(z.object({ id: z.string() })) }) });

const entry = z.object({ level: z.string(), time: z.string(), msg: z.string() });

async function codeOf(pending: Promise<unknown>): Promise<number> {
  const reported = await pending;
  const { code } = answer.parse(reported);
  if (code !== 0) refusals.push(JSON.stringify(reported));
  return code;
}

async function control(path: string, input: object): Promise<void> {
  const admin = `http://127.0.0.1:${host.admin.port}`;
  const reply = await fetch(`${admin}/sandbox${path}`, { method: "POST", body: JSON.stringify(input) });
  expect(reply.status, path).toBe(200);
}

const detail = (bizNo: string) => caller.get(`/detail.json?bizNo=${bizNo}&customerIdentity=user-4711`);

/** A customer logs in, and an attacker tries to. */
async function logIn() {
  const ask = () => caller.get(`/sms.json?mobileNo=${MOBILE_NO}`);
  expect(await codeOf(ask())).toBe(0);
  const used = fixture.gateway.messages.at(-1)?.authCode ?? "";
  const { token, customerId } = loggedIn.parse(
    await caller.post("/auth.json", { mobileNo: MOBILE_NO, authCode: used }),
  ).data;
  expect(await codeOf(caller.get(`/checkAuth.json?token=${token}`))).toBe(0);
  expect(await codeOf(ask())).toBe(0);
  const live = fixture.gateway.messages.at(-1)?.authCode ?? "";
  const wrong = `${live.startsWith("0") ? "1" : "0"}${live.slice(1)}`;
  const guess = { mobileNo: MOBILE_NO, authCode: wrong };
  for (let tries = 0; tries < 5; tries += 1)
    expect(await codeOf(caller.post("/auth.json", guess))).toBe(10020);
  expect(await codeOf(caller.post("/auth.json", guess))).toBe(10021);
  fixture.gateway.answer(400);
  expect(await codeOf(ask())).toBe(10023);
  fixture.gateway.answer(500);
  expect(await codeOf(ask())).toBe(0);
  fixture.gateway.answer(202);
  return { token, customerId, codes: fixture.gateway.messages.map(({ authCode }) => authCode), live };
}

/** A customer buys at both wallets, receives a partial refund, and forged notifications arrive. */
async function buy(): Promise<readonly string[]> {
  for (const payChannel of PAY_CHANNELS) {
    const bizNo = `biz-0815-${payChannel}`;
    expect(
      await codeOf(caller.post("/order.json", { ...ORDER, bizNo, payChannel, paySource: "NATIVE" })),
    ).toBe(0);
  }
  const reported = history.parse(await caller.get("/history.json?customerIdentity=user-4711"));
  const outTradeNos = reported.data.payOrderList.map(({ id }) => id);
  expect(outTradeNos).toHaveLength(2);
  for (const outTradeNo of outTradeNos) {
    for (const as of ["forged", "tampered", "wrong-amount", "wrong-app", "wrong-merchant"]) {
      await control("/pay", { outTradeNo });
      await control("/notify", { outTradeNo, times: 1, as });
    }
    await control("/notify", { outTradeNo, times: 2 });
  }
  for (const payChannel of PAY_CHANNELS) {
    const bizNo = `biz-0815-${payChannel}`;
    expect(await detail(bizNo)).toMatchObject({ data: { paymentStatus: "PAID" } });
    const refund = { ...OPERATOR, bizNo, refundNo: "case-1", amount: 100 };
    const input = orThrow(parseInput(refundOrderInput(host.ports.policy), refund));
    await expectOk(refundOrder(host.ports, fixture.appId, input));
  }
  expect(await codeOf(caller.get("/customerServiceMgmt/user-4711.json"))).toBe(0);
  await buyInsideTheWallets();
  return outTradeNos;
}

/** Orders with the payer's id and address, both valid and invalid. */
async function buyInsideTheWallets(): Promise<void> {
  for (const payChannel of PAY_CHANNELS) {
    const jsapi = { ...ORDER, bizNo: `jsapi-${payChannel}`, payChannel, paySource: "JSAPI" };
    // The host sends only the first id to the wallet.
    expect(await codeOf(caller.post("/order.json", { ...jsapi, payerId: PAYERS[payChannel] }))).toBe(0);
    for (const payerId of [`${PAYERS[payChannel]}!`, `${PAYERS[payChannel]} x`])
      expect(await codeOf(caller.post("/order.json", { ...jsapi, payerId }))).not.toBe(0);
  }
  const { appId, appSecret } = fixture;
  const h5 = { ...ORDER, payChannel: "WALLET_A", paySource: "H5" };
  for (const address of [PAYER_ADDRESS, `${PAYER_ADDRESS}:443`]) {
    const headers = { APP_ID: appId, APP_SECRET: appSecret, "x-payer-client-ip": address };
    const body = JSON.stringify({ ...h5, bizNo: `h5-${String(address.length)}` });
    const response = await fetch(`${api}/pay/order.json`, { method: "POST", headers, body });
    expect(await codeOf(response.json())).toBe(address === PAYER_ADDRESS ? 0 : 10015);
  }
}

/** Reads the download counts. */
async function readCounts(): Promise<string> {
  const client = { appId: fixture.appId, dailyLimit: 1 };
  const { clientId } = await expectOk(createDownloadsClient(host.ports, client));
  for (const status of [200, 429]) {
    const reply = await fetch(`${api}/misc/v2/downloads-api?id=${clientId}&start=2026-01-15&end=2026-01-15`);
    expect(reply.status).toBe(status);
  }
  return clientId;
}

/** Makes both wallets fail in several ways, then the database: in a query and by a constraint. */
async function breakThings(token: string): Promise<void> {
  const orderAt = (payChannel: string, bizNo: string) =>
    codeOf(caller.post("/order.json", { ...ORDER, bizNo, payChannel, paySource: "NATIVE" }));
  for (const fault of ["500", "reject", "reset", "unsigned", "bad-signature"]) {
    const faulty = { prepay: fault, query: fault };
    await control("/faults", { walletA: faulty, walletB: faulty });
    for (const payChannel of PAY_CHANNELS)
      expect(await orderAt(payChannel, `spoilt-${payChannel}-${fault}`)).not.toBe(0);
  }
  await control("/faults", { walletA: null, walletB: null });

  const owner = pgClient(new pg.Pool({ connectionString: fixture.ownerUrl, max: 1 }));
  await owner.script("alter table tillkit.sessions rename to gone");
  expect(await codeOf(caller.get(`/checkAuth.json?token=${token}`))).toBe(70007);
  await owner.script("alter table tillkit.gone rename to sessions");
  await owner.script(
    "alter table tillkit.orders add constraint no_sofas check (goods_title <> 'Blue sofa') not valid",
  );
  expect(await orderAt("WALLET_A", "biz-refused")).toBe(99998);
  await owner.script("alter table tillkit.orders drop constraint no_sofas");
  await owner.close();
}

/**
 * Sends unexpected paths and bodies, wrong credentials, and more requests than the limits allow.
 */
async function disruptNotifications(): Promise<void> {
  const { appId, appSecret } = fixture;
  await fetch(`${api}/pay/${MOBILE_NO}`);
  await fetch(`${api}/user-4711?mobileNo=${MOBILE_NO}`);
  await fetch(`${api}/wallets/notify/WALLET_A/user-4711/biz-0815`, { method: "POST", body: MOBILE_NO });
  await fetch(`${api}/misc/v2/downloads-api?id=user-4711&start=${MOBILE_NO}&end=x`);
  expect(await codeOf(callerOf(api, { appId: "user-4711", appSecret }).get("/payTools.json"))).toBe(1001);
  expect(await codeOf(callerOf(api, { appId, appSecret: `${appSecret}x` }).get("/payTools.json"))).toBe(1001);
  const owner = pgClient(new pg.Pool({ connectionString: fixture.ownerUrl, max: 1 }));
  const rush = await owner.transaction(async (transaction) => {
    await transaction.script("lock table tillkit.orders in access exclusive mode");
    const pending = Array.from({ length: 100 }, () => codeOf(detail("biz-0815-WALLET_A")));
    expect(await Promise.race(pending)).toBe(99998);
    return pending;
  });
  expect(await Promise.all(rush)).toContain(0);
  await owner.close();
}

describe("a full run with every failure", () => {
  let secrets: readonly string[];
  let theirs: readonly string[];
  let outTradeNos: readonly string[];
  let codes: readonly string[];
  let live: string;

  beforeAll(async () => {
    const login = await logIn();
    outTradeNos = await buy();
    const clientId = await readCounts();
    await breakThings(login.token);
    await disruptNotifications();
    ({ codes, live } = login);

    const { environment, appSecret, gateway } = fixture;
    const keys = keyring.parse(JSON.parse(readFileSync(environment["TILLKIT_KEYS_FILE"] ?? "", "utf8")));
    const journal = readFileSync(environment["SANDBOX_STATE_FILE"] ?? "", "utf8");
    const privateKeys = [...journal.matchAll(/BEGIN PRIVATE KEY-----\\n([^\\]+)/g)].map(
      ([, key = ""]) => key,
    );
    const [, apiV3Key = ""] = /"apiV3Key":"([^"]{32})"/.exec(journal) ?? [];
    expect(privateKeys.length).toBeGreaterThan(3);
    expect(apiV3Key).toHaveLength(32);
    const stored = await Promise.all(
      PAY_CHANNELS.map((payChannel) =>
        expectOk(host.ports.orders.find({ appId: fixture.appId, bizNo: `biz-0815-${payChannel}` })),
      ),
    );
    // The openids that the sandbox's WeChat Pay gives to payers. Its Alipay has one fixed id.
    const payers = stored.map((order) => {
      const digest = createHash("sha256").update(order?.walletTradeNo ?? expect.fail("not paid"));
      return `o${digest.digest("hex").slice(0, 27)}`;
    });
    secrets = [
      appSecret,
      appSecret.slice(3),
      login.token,
      login.token.slice(login.token.indexOf(".") + 1),
      gateway.token,
      new URL(environment["DATABASE_URL"] ?? "").password,
      apiV3Key,
      ...privateKeys,
      ...Object.values(keys)
        .flat()
        .map(({ key }) => key),
      ...payers,
      ...Object.values(ALIPAY_CUSTOMER),
      // As a notification contains it.
      encodeURIComponent(ALIPAY_CUSTOMER.login),
      ...windowsOf(MOBILE_NO),
    ];
    theirs = [login.customerId, clientId, ...Object.values(PERSON), ...Object.values(OPERATOR)];
    theirs = [...theirs, ...Object.values(PAYERS), PAYER_ADDRESS];
    theirs = [...theirs, ORDER.goodsTitle, ORDER.attachData, "roses", "biz-0815", "biz-refused"];
  });

  it("contains every kind of failure", () => {
    const types = new Set(serviceEvents().map(({ type }) => type));
    for (const type of [
      "order.moved",
      "order.alarm",
      "refund.moved",
      "request.refused",
      "wallet.called",
    ] as const)
      expect(types).toContain(type);
    const refused = serviceEvents().flatMap((one) => (one.type === "notification.refused" ? [one] : []));
    for (const payChannel of PAY_CHANNELS)
      expect(refused).toContainEqual({ type: "notification.refused", payChannel, reason: "unverified" });
    expect(
      new Set(serviceEvents().flatMap((one) => (one.type === "wallet.called" ? [one.outcome] : []))),
    ).toEqual(new Set(["ok", "rejected", "unknown"]));
    expect(lines.filter((line) => line.includes('"constraint":"no_sofas"'))).toHaveLength(1);
  });

  it("gives the customer of Alipay to the host", () => {
    const received = Buffer.concat(delivered).toString("latin1");
    for (const text of Object.values(ALIPAY_CUSTOMER)) expect(received).toContain(encodeURIComponent(text));
  });

  it("logs no personal data, only the orders' own numbers", () => {
    const log = lines.join("");
    const hidden = [...secrets, ...theirs, ...outTradeNos];
    // Operators find an order by this number.
    expect(hidden.filter((text) => log.includes(text)).sort()).toEqual([...outTradeNos].sort());
    for (const code of codes) expect(log).not.toMatch(wholeCode(code));
  });

  it("passes no more data to observers than to the log", () => {
    // The cause of a failure is for the exception log, where `describeError` removes its text.
    const reported = JSON.stringify(serviceEvents(), (name, value: unknown) =>
      name === "cause" ? undefined : value,
    );
    const hidden = [...secrets, ...theirs];
    expect(hidden.filter((text) => reported.includes(text))).toEqual([]);
    for (const code of codes) expect(reported).not.toMatch(wholeCode(code));
  });

  it("contains no personal data in the metrics", async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${host.admin.port}/metrics`)).text();
    const hidden = [...secrets, ...theirs, ...outTradeNos];
    expect(hidden.filter((text) => metrics.includes(text))).toEqual([]);
  });

  it("repeats no sent value in a rejection", () => {
    expect(refusals.length).toBeGreaterThan(20);
    const output = refusals.join("\n");
    expect([...secrets, ...theirs, ...outTradeNos].filter((text) => output.includes(text))).toEqual([]);
    for (const code of codes) expect(output).not.toMatch(wholeCode(code));
  });

  it("stores no secret and no phone number in the database", async () => {
    const owner = pgClient(new pg.Pool({ connectionString: fixture.ownerUrl, max: 1 }));
    const text = "select table_name as line from information_schema.tables where table_schema = 'tillkit'";
    const tables = (await owner.query({ name: "test_tables", text }, [])).map((row) => String(row["line"]));
    expect(tables.length).toBeGreaterThan(15);
    const dumps = tables.map(async (table) => {
      const rows = {
        name: `test_dump_${table}`,
        text: `select row_to_json(held)::text as line from tillkit.${table} held`,
      };
      return (await owner.query(rows, [])).map((row) => String(row["line"]));
    });
    const dump = (await Promise.all(dumps)).flat().join("\n");
    await owner.close();
    expect(dump).toContain(outTradeNos[0]);
    expect(secrets.filter((one) => dump.includes(one))).toEqual([]);
    // Many numbers contain six digits by chance, so a code must be a whole value to count.
    for (const code of [...codes, live]) expect(dump).not.toMatch(new RegExp(`["' :]${code}["' ,}]`));
  });
});

it("a host logs a line for every request, with the trace id of the response", async () => {
  const failed = answer.parse(await caller.get("/detail.json?bizNo=none"));
  const download = await fetch(`${api}/misc/v2/downloads-api`);
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

it("a host logs one JSON object per line for any sent value, without that value", async () => {
  const bases = { payments: `${api}/pay`, metrics: api, notifications: `${api}/wallets` };
  const before = lines.length;
  // Characters with a meaning in a log: line breaks, control characters, JSON.
  const requests = [...hostileRequests(host.ports.policy, MARK)].filter(({ hostile }) =>
    /[\p{Cc}\u2028{]/u.test(hostile?.text ?? ""),
  );
  const ask = async ({ surface, method, path, query, headers, body }: (typeof requests)[number]) => {
    const credentials =
      surface === "payments" ? { app_id: fixture.appId, app_secret: fixture.appSecret } : {};
    const init = { method, headers: { ...credentials, ...headers }, ...(method === "POST" ? { body } : {}) };
    await (await fetch(`${bases[surface]}${path}?${query}`, init)).arrayBuffer();
  };
  for (let first = 0; first < requests.length; first += 4)
    await Promise.all(requests.slice(first, first + 4).map(ask));
  const written = lines.slice(before);
  expect(written.length).toBeGreaterThan(200);
  for (const line of written) {
    expect(line).toMatch(/^\{[^\p{Cc}\u2028\u2029]*\}\n$/u);
    expect(entry.safeParse(JSON.parse(line)).success, line).toBe(true);
  }
  expect(written.filter((line) => line.includes(MARK))).toEqual([]);
});

/** Returns every eight consecutive digits of a number. Fewer digits occur by chance in times. */
function windowsOf(digits: string): readonly string[] {
  return Array.from({ length: digits.length - 7 }, (_, start) => digits.slice(start, start + 8));
}

/** Matches a code that is not part of a longer number or of hexadecimal digits. */
function wholeCode(code: string): RegExp {
  return new RegExp(`(?<![0-9a-f])${code}(?![0-9a-f])`);
}
