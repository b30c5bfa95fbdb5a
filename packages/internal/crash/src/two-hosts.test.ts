import { createDatabase } from "@tillkit/local-postgres";
import { migrate } from "@tillkit/postgres";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { unwrapOrExit } from "../../../cli/src/dev/unwrap-or-exit.js";
import { COUNTED_DAY, openSharedHosts, type SharedHosts } from "./shared-hosts/open-shared-hosts.js";
import { TEST_NUMBER } from "./testing/host-setup.js";
import { at, listAt, textAt } from "./testing/json.js";

const DAY = 86_400_000;
let hosts: SharedHosts;

beforeAll(async () => {
  hosts = await openSharedHosts({
    databaseUrl: await createDatabase(inject("databaseUrl")),
    schema: "tillkit",
    prepare: async (sql) => void unwrapOrExit("migrate", await migrate({ sql, schema: "tillkit" })),
    // Every order is due at once, and then not for an hour.
    querySchedule: [1, 3_600_000],
  });
});
afterAll(() => hosts.close());

const ask: SharedHosts["ask"] = (...call) => hosts.ask(...call);
const both: SharedHosts["both"] = (...calls) => hosts.both(...calls);
const messagesTo = (mobileNo: string) => hosts.messagesTo(mobileNo);

function order(bizNo: string, customerIdentity: string) {
  const terms = { bizNo, customerIdentity, amount: 600, goodsTitle: "One month", payChannel: "WALLET_A" };
  return { method: "POST", body: JSON.stringify({ ...terms, serviceTypeNo: "month" }) };
}

describe("two hosts on one database under concurrent load", () => {
  it("create one order and one prepayment per bizNo, and return the same answer", async () => {
    const before = hosts.simulators.prepared.size;
    const bizNos = Array.from({ length: 8 }, (_, nth) => `rush-${nth}`);
    const all = await Promise.all(bizNos.map((bizNo) => both(12, "/pay/order.json", order(bizNo, "rusher"))));
    for (const answers of all) {
      expect(answers.map(({ body }) => at(body, "code"))).toEqual(answers.map(() => 0));
      expect(new Set(answers.map(({ body }) => JSON.stringify(at(body, "data")))).size).toBe(1);
    }
    expect(hosts.simulators.prepared.size - before).toBe(bizNos.length);
    expect([...hosts.simulators.prepared.values()]).toEqual(
      [...hosts.simulators.prepared.values()].map(() => 1),
    );
    const [history] = await both(1, "/pay/history.json?customerIdentity=rusher");
    expect(at(history, "body", "data", "totalCount")).toBe(bizNos.length);
  });

  it("query the wallet once about each due order", async () => {
    const bizNos = Array.from({ length: 30 }, (_, nth) => `due-${nth}`);
    const made = new Set(hosts.simulators.prepared.keys());
    await Promise.all(bizNos.map((bizNo) => both(1, "/pay/order.json", order(bizNo, "waiter"))));
    const due = [...hosts.simulators.prepared.keys()].filter((outTradeNo) => !made.has(outTradeNo));
    expect(due).toHaveLength(bizNos.length);
    const rounds = await both(30, "/reconcile", { method: "POST" });
    expect(rounds.filter(({ body }) => at(body, "orders") !== 0).length).toBeGreaterThan(1);
    expect(due.map((outTradeNo) => hosts.simulators.queried.get(outTradeNo))).toEqual(due.map(() => 1));
  });

  it("extend the service once per order if both receive its notification concurrently and repeatedly", async () => {
    const began = Date.now();
    const made = new Set(hosts.simulators.prepared.keys());
    for (const bizNo of ["paid-1", "paid-2", "paid-3"])
      await both(2, "/pay/order.json", order(bizNo, "payer"));
    const orders = [...hosts.simulators.prepared.keys()].filter((outTradeNo) => !made.has(outTradeNo));
    expect(orders).toHaveLength(3);
    await Promise.all(orders.map((outTradeNo) => hosts.simulators.sandbox.simulatorControls.pay(outTradeNo)));
    const repeated = await Promise.all(
      orders.map((outTradeNo) => hosts.simulators.sandbox.simulatorControls.notify(outTradeNo, { times: 3 })),
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
    const answers = await both(
      30,
      `/misc/v2/downloads-api?id=seven-requests-a-day&start=${COUNTED_DAY}&end=${COUNTED_DAY}`,
    );
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
