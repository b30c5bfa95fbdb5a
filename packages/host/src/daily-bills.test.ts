import { aComparedBill, aFoundException, aKeptBill, anAccount, expectOk } from "@tillkit/contract-tests";
import type { WalletAccount } from "@tillkit/core";
import { memoryPorts } from "@tillkit/memory";
import { err, errAsync, ok } from "neverthrow";
import { expect, it, vi } from "vitest";
import { dailyBills, type DailyBillPorts } from "./daily-bills.js";

const HOUR = 3_600_000;
/** Midnight of 11 May in China. */
const MIDNIGHT = Date.UTC(2026, 4, 10, 16);

const ACCOUNT = { payChannel: "WALLET_A", appEnv: "DEV", accountId: "1900000001" } as const;

/** Creates ports with an account that is 30 days old. `days` returns the days of the read bills. */
async function aHost(at = MIDNIGHT, changes: Partial<WalletAccount> = {}) {
  const ports = memoryPorts();
  ports.clock.advance(at - ports.clock.now());
  await expectOk(ports.payTools.put(anAccount({ ...ACCOUNT, gmtCreate: at - 30 * 24 * HOUR, ...changes })));
  const read = vi.spyOn(ports.wallets.WALLET_A, "readBill");
  const days = () => read.mock.calls.map(([, day]) => day);
  return { ports, days, comparisons: () => days().length };
}

it("compares once at each time of the day, and not before the first", async () => {
  const { ports, comparisons } = await aHost();
  const step = dailyBills(ports, ["10:30", "12:00"]);
  const counts: number[] = [];
  for (let hour = 0; hour < 26; hour += 0.5) {
    await step();
    counts.push(comparisons());
    ports.clock.advance(HOUR / 2);
  }
  expect([counts[20], counts[21], counts[23], counts[24], counts.at(-1)]).toEqual([0, 1, 1, 2, 2]);
});

it("compares a bill again if it has lost a line, or if a person has decided about the lost line", async () => {
  const { ports, days } = await aHost(MIDNIGHT + 11 * HOUR);
  const bill = ACCOUNT;
  const lost = (id: string, day: string) =>
    aFoundException({ ...bill, id, day, kind: "LINE_MISSING", asOf: 2, at: 2 });
  await expectOk(
    ports.billExceptions.report([
      lost("open", "2026-05-07"),
      lost("decided", "2026-05-06"),
      lost("settled", "2026-05-05"),
      lost("too-old", "2026-01-05"),
    ]),
  );
  for (const day of ["2026-05-06", "2026-05-05"]) {
    const kept = aKeptBill({ ...bill, day, asOf: 1, lines: 0 });
    await expectOk(ports.keptBills.begin(kept.runId, kept, kept.asOf));
    await expectOk(ports.keptBills.keep(kept, undefined, 1));
    await expectOk(ports.billExceptions.recordCompared(aComparedBill({ ...bill, day, asOf: 2 })));
  }
  const by = { operator: "kim", note: "seen", at: 3 };
  await expectOk(ports.billExceptions.resolve("decided", { ...by, remedy: "not-ours" }));
  await expectOk(ports.billExceptions.resolve("settled", { ...by, remedy: "settle" }));
  expect(await dailyBills(ports, ["10:30"])()).toEqual(ok({ more: false }));
  expect(days()).toEqual(["2026-05-10", "2026-05-06", "2026-05-07"]);
  // The decision has taken effect, and the wallet's bill has no line that is missing.
  ports.clock.advance(24 * HOUR);
  expect(await dailyBills(ports, ["10:30"])()).toEqual(ok({ more: false }));
  expect(days().slice(3)).toEqual(["2026-05-11"]);
});

it("compares the missed days of the last week", async () => {
  const { ports, days } = await aHost(MIDNIGHT + 11 * HOUR, { appEnv: "PROD" });
  const compared = { ...ACCOUNT, appEnv: "PROD" } as const;
  for (const day of ["2026-05-03", "2026-05-04", "2026-05-05", "2026-05-07"])
    await expectOk(ports.billExceptions.recordCompared(aComparedBill({ ...compared, day })));
  await expectOk(dailyBills(ports, ["10:30"])());
  expect(days()).toEqual(["2026-05-10", "2026-05-09", "2026-05-08", "2026-05-06"]);
  ports.clock.advance(24 * HOUR);
  await expectOk(dailyBills(ports, ["10:30"])());
  expect(days().slice(4)).toEqual(["2026-05-11"]);
});

it("compares again the days of which no fund-flow bill was read, for three days", async () => {
  const { ports, days } = await aHost(MIDNIGHT + 11 * HOUR);
  for (const day of ["2026-05-07", "2026-05-08", "2026-05-09"]) {
    const complete = aKeptBill({ ...ACCOUNT, day, asOf: 1 });
    const { closing: _closing, ...withoutFlow } = complete;
    const kept = day === "2026-05-09" ? complete : withoutFlow;
    await expectOk(ports.keptBills.begin(kept.runId, kept, kept.asOf));
    await expectOk(ports.keptBills.keep(kept, undefined, 1));
  }
  await expectOk(dailyBills(ports, ["10:30"])());
  expect(days()).toEqual(["2026-05-10", "2026-05-08"]);
});

it("skips the other bills of an account if one of them cannot be compared", async () => {
  const { ports, days } = await aHost(MIDNIGHT + 11 * HOUR, {
    appEnv: "PROD",
    gmtCreate: MIDNIGHT - 4 * 24 * HOUR,
  });
  const other = { accountId: "1900000002", appEnv: "PROD", gmtCreate: MIDNIGHT - 3 * 24 * HOUR } as const;
  await expectOk(ports.payTools.put(anAccount({ ...other, appId: "app_2" })));
  const refused = {
    name: "wallet.rejected",
    reason: "other",
    trusted: true,
    detail: "no permission",
  } as const;
  const asked: string[] = [];
  vi.spyOn(ports.wallets.WALLET_A, "readBill").mockImplementation(({ accountId }, day) => {
    asked.push(`${accountId} ${day}`);
    return errAsync(refused);
  });
  await expectOk(dailyBills(ports, ["10:30"])());
  expect(days()).toHaveLength(4);
  expect(asked.slice(2)).toEqual(["1900000001 2026-05-09", "1900000002 2026-05-09"]);
});

it("does not compare the day again if the storage fails for a bill of an earlier day", async () => {
  const { ports, days } = await aHost(MIDNIGHT + 11 * HOUR, { appEnv: "PROD" });
  const begin = ports.keptBills.begin.bind(ports.keptBills);
  vi.spyOn(ports.keptBills, "begin").mockImplementation((runId, bill, asOf) =>
    bill.day === "2026-05-09" ? errAsync({ name: "storage.unavailable" }) : begin(runId, bill, asOf),
  );
  const step = dailyBills(ports, ["10:30"]);
  expect(await step()).toEqual(err({ name: "storage.unavailable" }));
  for (let nth = 0; nth < 3; nth += 1) expect(await step()).toEqual(ok({ more: false }));
  expect(days()).toEqual(["2026-05-10"]);
});

it("compares a bill that has lost a line even if many accounts have missed days", async () => {
  const { ports, days } = await aHost(MIDNIGHT + 11 * HOUR);
  for (let nth = 0; nth < 20; nth += 1)
    await expectOk(
      ports.payTools.put(
        anAccount({
          appId: `app_${String(nth)}`,
          accountId: String(nth),
          appEnv: "PROD",
          gmtCreate: MIDNIGHT - 9 * 24 * HOUR,
        }),
      ),
    );
  const lost = aFoundException({
    ...ACCOUNT,
    id: "lost",
    day: "2026-05-02",
    kind: "LINE_MISSING",
    asOf: 2,
    at: 2,
  });
  await expectOk(ports.billExceptions.report([lost]));
  await expectOk(dailyBills(ports, ["10:30"])());
  expect(days()).toContain("2026-05-02");
});

it("makes each comparison in one of several processes", async () => {
  const { ports, comparisons } = await aHost(MIDNIGHT + 11 * HOUR);
  const steps = Array.from({ length: 8 }, () => dailyBills(ports, ["10:30"]));
  const results = await Promise.all(steps.map((step) => step()));
  expect(results).toEqual(steps.map(() => ok({ more: false })));
  expect(comparisons()).toBe(1);
});

it("makes the latest comparison when a process starts after its time", async () => {
  const { ports, comparisons } = await aHost(MIDNIGHT + 23 * HOUR);
  const step = dailyBills(ports, ["10:30", "12:00"]);
  await step();
  await step();
  expect(comparisons()).toBe(1);
});

it("repeats a comparison that failed because of the storage, in any process", async () => {
  const { ports, comparisons } = await aHost(MIDNIGHT + 11 * HOUR);
  const failure = { name: "storage.unavailable" } as const;
  const broken: DailyBillPorts = {
    ...ports,
    payTools: { ...ports.payTools, listAll: () => errAsync(failure) },
  };
  expect(await dailyBills(broken, ["10:30"])()).toEqual(err(failure));
  expect(await dailyBills(ports, ["10:30"])()).toEqual(ok({ more: false }));
  expect(comparisons()).toBe(1);
});

it("repeats a comparison after an outage in which the claim could not be given back", async () => {
  const { ports, comparisons } = await aHost(MIDNIGHT + 11 * HOUR);
  const failure = { name: "storage.unavailable" } as const;
  vi.spyOn(ports.payTools, "listAll").mockReturnValueOnce(errAsync(failure));
  const giveBack = vi.spyOn(ports.quotas, "giveBack").mockReturnValueOnce(errAsync(failure));
  const step = dailyBills(ports, ["10:30"]);
  expect(await step()).toEqual(err(failure));
  giveBack.mockReturnValueOnce(errAsync(failure));
  expect(await step()).toEqual(err(failure));
  expect(await step()).toEqual(ok({ more: false }));
  expect(comparisons()).toBe(1);
  await step();
  expect(comparisons()).toBe(1);
});

it("fails without a comparison if the claim fails", async () => {
  const { ports, comparisons } = await aHost(MIDNIGHT + 11 * HOUR);
  const failure = { name: "storage.unavailable" } as const;
  const broken: DailyBillPorts = { ...ports, quotas: { ...ports.quotas, take: () => errAsync(failure) } };
  expect(await dailyBills(broken, ["10:30"])()).toEqual(err(failure));
  expect(comparisons()).toBe(0);
});

it("does nothing without times", async () => {
  const { ports, comparisons } = await aHost(MIDNIGHT + 11 * HOUR);
  expect(await dailyBills(ports, [])()).toEqual(ok({ more: false }));
  expect(comparisons()).toBe(0);
});

it.each([
  ["24:00", '"24:00" is not a time'],
  ["9:5", '"9:5" is not a time'],
] as const)("rejects the time %s", (time, message) => {
  expect(() => dailyBills(memoryPorts(), [time])).toThrow(message);
});

it("rejects times that do not ascend", () => {
  expect(() => dailyBills(memoryPorts(), ["12:00", "10:30"])).toThrow("must ascend");
});
