import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { builtProgram } from "@tillkit/built-program";
import {
  configurePayTool,
  createApp,
  createDownloadsClient,
  createServiceType,
  type Ports,
  policyWith,
} from "@tillkit/core";
import { createDatabase } from "@tillkit/local-postgres";
import { migrate } from "@tillkit/postgres";
import { nodeDigest, noopObserver, systemRandom } from "@tillkit/runtime";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { unwrapOrExit } from "@tillkit-examples/quickstart/unwrap-or-exit";
import { at, listAt, textAt } from "./testing/json.js";
import { type HostSetup, sharedStores, sharedWallets, TEST_NUMBER } from "./testing/host-setup.js";
import { openSharedSimulators, type SharedSimulators } from "./testing/shared-simulators.js";

const DAY = 86_400_000;
/** A day with counts. */
const COUNTED = "2026-01-15";
const children: ChildProcess[] = [];
const hosts: string[] = [];
let double: SharedSimulators;
let headers: Readonly<Record<string, string>>;

beforeAll(async () => {
  double = await openSharedSimulators(() => hosts);
  const databaseUrl = await createDatabase(inject("databaseUrl"));
  const setup: HostSetup = {
    databaseUrl,
    walletAUrl: double.walletAUrl,
    smsUrl: double.smsUrl,
    secret: "a secret of thirty-two characters",
    timeZone: noonZone(Date.now()),
  };
  headers = await seed(setup);
  hosts.push(...(await Promise.all([startHost(setup), startHost(setup)])));
}, 60_000);
afterAll(async () => {
  const gone = children.map((child) => once(child, "close"));
  for (const child of children) child.kill("SIGKILL");
  await Promise.all(gone);
  await double.close();
});

/**
 * Returns a time zone in which it is between noon and one, so that no day ends during the tests.
 */
function noonZone(now: number): string {
  const west = new Date(now).getUTCHours() - 12;
  return `Etc/GMT${west < 0 ? "" : "+"}${String(west)}`;
}

/** Creates an app with a pay tool, a service type and a downloads client. Returns its headers. */
async function seed(setup: HostSetup): Promise<Readonly<Record<string, string>>> {
  const { sql, stores } = sharedStores(setup);
  unwrapOrExit("migrate", await migrate({ sql, schema: "tillkit" }));
  const { clock, payTools } = double.sandbox;
  const digest = nodeDigest({ peppers: [{ version: 1, key: setup.secret }] });
  const policy = policyWith({});
  const ports: Ports = {
    ...stores,
    wallets: sharedWallets(setup),
    clock,
    digest,
    policy,
    random: systemRandom,
    observer: noopObserver,
    notificationsUrl: "",
  };
  const { app, appSecret } = unwrapOrExit("app", await createApp(ports, { name: "Shared" }));
  unwrapOrExit("pay tool", await configurePayTool(ports, app.appId, payTools.WALLET_A));
  const month = { serviceTypeNo: "month", serviceName: "Month", durationMs: 30 * DAY };
  unwrapOrExit("service type", await createServiceType(ports, app.appId, month));
  unwrapOrExit(
    "client",
    await createDownloadsClient(ports, { appId: app.appId, clientId: "seven", dailyLimit: 7 }),
  );
  unwrapOrExit(
    "counts",
    await stores.downloads.upsert([
      [{ appId: app.appId, store: "s", date: COUNTED, newDownloads: 1, updateDownloads: 1 }],
    ]),
  );
  await sql.close();
  return { APP_ID: app.appId, APP_SECRET: appSecret, "content-type": "application/json" };
}

async function startHost(setup: HostSetup): Promise<string> {
  const program = await builtProgram(new URL("testing/host-program.ts", import.meta.url));
  const child = spawn(process.execPath, [program], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, HOST_SETUP: JSON.stringify(setup) },
  });
  children.push(child);
  const next = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  return String(next.value);
}

/** Sends a request to the first host if `nth` is even, otherwise to the second. */
async function ask(nth: number, path: string, init: RequestInit = {}) {
  const response = await fetch(`${hosts[nth % 2] ?? ""}${path}`, { headers, ...init });
  const body: unknown = await response.json();
  return { status: response.status, body };
}

/** Sends `times` requests at once, alternating between the two hosts. */
function both(times: number, path: string, init: RequestInit = {}) {
  return Promise.all(Array.from({ length: times }, (_, nth) => ask(nth, path, init)));
}

/** Returns the messages that the carrier sent to a phone, oldest first. */
async function messagesTo(mobileNo: string): Promise<unknown> {
  const parameters = { method: "GET", path: "/sms", query: `mobileNo=${mobileNo}`, headers: new Headers() };
  return JSON.parse((await double.sandbox.control.handle({ ...parameters, body: new Uint8Array() })).body);
}

function order(bizNo: string, customerIdentity: string) {
  const terms = { bizNo, customerIdentity, amount: 600, goodsTitle: "One month", payChannel: "WALLET_A" };
  return { method: "POST", body: JSON.stringify({ ...terms, serviceTypeNo: "month" }) };
}

describe("two hosts on one database under concurrent load", () => {
  it("create one order and one prepayment per bizNo, and return the same answer", async () => {
    const before = double.prepared.size;
    const bizNos = Array.from({ length: 8 }, (_, nth) => `rush-${nth}`);
    const all = await Promise.all(bizNos.map((bizNo) => both(12, "/pay/order.json", order(bizNo, "rusher"))));
    for (const answers of all) {
      expect(answers.map(({ body }) => at(body, "code"))).toEqual(answers.map(() => 0));
      expect(new Set(answers.map(({ body }) => JSON.stringify(at(body, "data")))).size).toBe(1);
    }
    expect(double.prepared.size - before).toBe(bizNos.length);
    expect([...double.prepared.values()]).toEqual([...double.prepared.values()].map(() => 1));
    const [history] = await both(1, "/pay/history.json?customerIdentity=rusher");
    expect(at(history, "body", "data", "totalCount")).toBe(bizNos.length);
  });

  it("query the wallet once about each due order", async () => {
    const bizNos = Array.from({ length: 30 }, (_, nth) => `due-${nth}`);
    const made = new Set(double.prepared.keys());
    await Promise.all(bizNos.map((bizNo) => both(1, "/pay/order.json", order(bizNo, "waiter"))));
    const due = [...double.prepared.keys()].filter((outTradeNo) => !made.has(outTradeNo));
    expect(due).toHaveLength(bizNos.length);
    const rounds = await both(30, "/reconcile", { method: "POST" });
    expect(rounds.filter(({ body }) => at(body, "orders") !== 0).length).toBeGreaterThan(1);
    expect(due.map((outTradeNo) => double.queried.get(outTradeNo))).toEqual(due.map(() => 1));
  });

  it("extend the service once per order if both receive its notification concurrently and repeatedly", async () => {
    const began = Date.now();
    const made = new Set(double.prepared.keys());
    for (const bizNo of ["paid-1", "paid-2", "paid-3"])
      await both(2, "/pay/order.json", order(bizNo, "payer"));
    const orders = [...double.prepared.keys()].filter((outTradeNo) => !made.has(outTradeNo));
    expect(orders).toHaveLength(3);
    await Promise.all(orders.map((outTradeNo) => double.sandbox.simulatorControls.pay(outTradeNo)));
    const repeated = await Promise.all(
      orders.map((outTradeNo) => double.sandbox.simulatorControls.notify(outTradeNo, { times: 3 })),
    );
    for (const result of repeated)
      expect(result.unwrapOr(undefined)).toMatchObject({ delivered: 3, acknowledged: 3 });
    const [answer] = await both(1, "/pay/customerServiceMgmt/payer.json");
    const services = listAt(answer, "body", "data", "customerServiceList");
    expect(services).toHaveLength(1);
    const start = Number(at(services, 0, "expireTime")) - 90 * DAY;
    expect(start).toBeGreaterThanOrEqual(began);
    expect(start).toBeLessThanOrEqual(Date.now());
  });

  it("send at most five messages per phone number and day", async () => {
    const answers = await both(24, "/pay/sms.json?mobileNo=13900000001");
    const codes = answers.map(({ body }) => at(body, "code"));
    expect(codes.filter((code) => code === 0)).toHaveLength(5);
    expect(codes.filter((code) => code === 10022)).toHaveLength(19);
    expect(await messagesTo("13900000001")).toHaveLength(5);
  });

  it("compare a code at most five times in total", async () => {
    const mobileNo = "13900000002";
    const logIn = (authCode: string) => ({ method: "POST", body: JSON.stringify({ mobileNo, authCode }) });
    for (let codes = 0; codes < 3; codes += 1) {
      await ask(codes, `/pay/sms.json?mobileNo=${mobileNo}`);
      const right = textAt(await messagesTo(mobileNo), codes, "authCode");
      const wrong = `${right.startsWith("0") ? "1" : "0"}${right.slice(1)}`;
      const answers = await both(40, "/pay/auth.json", logIn(wrong));
      const reported = answers.map(({ body }) => at(body, "code"));
      expect(reported.filter((code) => code === 10020)).toHaveLength(5);
      expect(reported.filter((code) => code === 10021)).toHaveLength(35);
      for (const answer of await both(2, "/pay/auth.json", logIn(right)))
        expect(at(answer.body, "code")).toBe(10021);
    }
  });

  it("return at most the client's daily number of reports", async () => {
    const answers = await both(30, `/misc/v2/downloads-api?id=seven&start=${COUNTED}&end=${COUNTED}`);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(23);
  });

  it("keep only the five newest sessions of a customer", async () => {
    const logIn = { method: "POST", body: JSON.stringify(TEST_NUMBER) };
    const logInAt = async (host: number): Promise<string> => {
      for (;;) {
        await ask(host, `/pay/sms.json?mobileNo=${TEST_NUMBER.mobileNo}`);
        const { body } = await ask(host, "/pay/auth.json", logIn);
        if (at(body, "code") === 0) return textAt(body, "data", "token");
        // Another login used the code.
        expect(at(body, "code")).toBe(10020);
      }
    };
    const live = async (tokens: readonly string[]) => {
      const checks = await Promise.all(tokens.map((token) => both(2, `/pay/checkAuth.json?token=${token}`)));
      for (const [left, right] of checks) expect(at(left, "body", "data")).toBe(at(right, "body", "data"));
      return checks.filter(([left]) => at(left, "body", "data") === true).length;
    };
    const rushed = await Promise.all(Array.from({ length: 16 }, (_, nth) => logInAt(nth)));
    expect(await live(rushed)).toBe(5);
    const later: string[] = [];
    for (let nth = 0; nth < 5; nth += 1) later.push(await logInAt(nth));
    expect([await live(rushed), await live(later)]).toEqual([0, 5]);
  });
});
