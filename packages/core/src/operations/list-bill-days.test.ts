import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import type { BillExceptionStore } from "../bills/bill-exception-store.js";
import type { BillException, ClosingRemedy } from "../bills/bill-exception.js";
import type { KeptBill, KeptBillStore } from "../bills/kept-bill-store.js";
import type { PayTool } from "../pay-tools/pay-tool.js";
import type { PayToolStore } from "../pay-tools/pay-tool-store.js";
import { parseInput } from "../shared/input.js";
import { account, stub } from "../testing/stubs.js";
import { listBillDays, listBillDaysInput } from "./list-bill-days.js";
import { orThrow } from "../errors/or-throw.js";

/** 2026-05-13, 08:00 in China: the bill of the 12th is the last one. */
const NOW = Date.parse("2026-05-13T08:00:00+08:00");
const { credentials: _none, ...TOOL } = account;
const MERCHANT = {
  payChannel: TOOL.payChannel,
  appEnv: TOOL.appEnv,
  accountId: TOOL.accountId,
};
const EMPTY = { ...MERCHANT, compared: false, matched: 0, open: 0, resolved: 0 };

function portsOf(tools: readonly PayTool[], changes: Partial<BillExceptionStore> = {}) {
  return {
    payTools: stub<PayToolStore>({ listAll: () => okAsync(tools) }),
    billExceptions: stub<BillExceptionStore>({
      listCompared: () => okAsync([]),
      countByBill: () => okAsync([]),
      ...changes,
    }),
    keptBills: stub<KeptBillStore>({ list: () => okAsync([]) }),
    clock: { now: () => NOW, sleep: async () => undefined },
  };
}

const range = (from: string, until: string) => parseInput(listBillDaysInput(), { from, until });
const RANGE = orThrow(range("2026-05-01", "2026-05-31"));

describe("listBillDays", () => {
  it("lists the days that have ended since the account was set up, newest first", async () => {
    const gmtCreate = Date.parse("2026-05-10T23:59:59+08:00");
    const ports = portsOf([{ ...TOOL, gmtCreate }]);
    const days = await orThrow(listBillDays(ports, RANGE, () => true));
    const expected = ["2026-05-12", "2026-05-11", "2026-05-10"].map((day) => ({ ...EMPTY, day }));
    expect(days).toEqual(expected);
  });

  it("contains the results of comparisons, also for days before the account was set up", async () => {
    const asked: string[] = [];
    const ports = portsOf([{ ...TOOL, gmtCreate: Date.parse("2026-05-12T00:00:00+08:00") }], {
      listCompared: (from, until) => {
        asked.push(`${from} ${until}`);
        const compared = { ...MERCHANT, asOf: NOW, matched: 9 };
        return okAsync([
          { ...compared, day: "2026-05-12", fees: 5 },
          { ...compared, day: "2026-05-12", accountId: "other", matched: 1 },
          { ...compared, day: "2026-05-12", appEnv: "PROD", matched: 2 },
        ]);
      },
      countByBill: () =>
        okAsync([
          { ...MERCHANT, day: "2026-05-03", open: 0, resolved: 4 },
          { ...MERCHANT, day: "2026-05-12", open: 2, resolved: 1 },
        ]),
      list: () => okAsync({ items: [] }),
    });
    expect(await orThrow(listBillDays(ports, RANGE, () => true))).toEqual([
      { ...EMPTY, day: "2026-05-12", compared: true, matched: 9, fees: 5, open: 2, resolved: 1 },
      { ...EMPTY, day: "2026-05-03", resolved: 4 },
    ]);
    expect(asked).toEqual(["2026-05-01 2026-05-31"]);
  });

  it("lists a day as not compared after a decision that needs another comparison", async () => {
    const day = "2026-05-12";
    const listed = async (
      keptAt: number,
      remedy: ClosingRemedy = "not-ours",
      accountId = MERCHANT.accountId,
      comparedAt = 2,
    ) => {
      const decided = stub<BillException>({ ...MERCHANT, day, remedy, accountId, asOf: 2 });
      const ports = portsOf([{ ...TOOL, gmtCreate: Date.parse("2026-05-12T00:00:00+08:00") }], {
        listCompared: () => okAsync([{ ...MERCHANT, day, asOf: comparedAt, matched: 9 }]),
        countByBill: () => okAsync([{ ...MERCHANT, day, open: 0, resolved: 1 }]),
        list: () => okAsync({ items: [decided] }),
      });
      const kept = stub<KeptBill>({ ...MERCHANT, day, asOf: keptAt });
      const keptBills = stub<KeptBillStore>({ list: () => okAsync([kept]) });
      const days = await orThrow(listBillDays({ ...ports, keptBills }, RANGE, () => true));
      return days.map(({ compared }) => compared);
    };
    expect(await listed(1)).toEqual([false]);
    expect(await listed(2)).toEqual([true]);
    expect(await listed(1, "settle")).toEqual([true]);
    expect(await listed(1, "not-ours", "other")).toEqual([true]);
    // A later comparison has found other missing lines, about which an operator has decided in
    // another way.
    expect(await listed(1, "not-ours", MERCHANT.accountId, 3)).toEqual([true]);
    expect(await listed(1, "not-ours", MERCHANT.accountId, 1)).toEqual([false]);
  });

  it("hides an account if the reader may not see one of its apps", async () => {
    const created = { gmtCreate: Date.parse("2026-05-12T00:00:00+08:00") };
    const shared = [
      { ...TOOL, ...created, id: "a", appId: "app_1" },
      { ...TOOL, ...created, id: "b", appId: "app_2" },
      { ...TOOL, ...created, id: "c", appId: "app_1", accountId: "own" },
    ];
    const listed = async (sees: (appId: string) => boolean) =>
      (await orThrow(listBillDays(portsOf(shared), RANGE, sees))).map(({ accountId }) => accountId);
    expect(await listed(() => true)).toEqual([TOOL.accountId, "own"]);
    expect(await listed((appId) => appId === "app_1")).toEqual(["own"]);
    expect(await listed(() => false)).toEqual([]);
  });

  it("fails if one of the lists cannot be read", async () => {
    const failing = () => errAsync({ name: "storage.unavailable", cause: "gone" } as const);
    for (const changes of [{ listCompared: failing }, { countByBill: failing }])
      expect((await listBillDays(portsOf([TOOL], changes), RANGE, () => true)).isErr()).toBe(true);
    const ports = { ...portsOf([]), payTools: stub<PayToolStore>({ listAll: failing }) };
    expect((await listBillDays(ports, RANGE, () => true)).isErr()).toBe(true);
  });
});

describe("listBillDaysInput", () => {
  it("accepts one to 92 days", () => {
    expect(range("2026-01-01", "2026-01-01").isOk()).toBe(true);
    expect(range("2026-01-01", "2026-04-02").isOk()).toBe(true);
    const tooLong = { name: "parameter.invalid", parameter: "until", rule: "date-range" };
    expect(range("2026-01-01", "2026-04-03")._unsafeUnwrapErr()).toEqual(tooLong);
  });
});
