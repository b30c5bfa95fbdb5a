import { okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import type { BillException } from "../bills/bill-exception.js";
import type { BillExceptionQuery } from "../bills/bill-exception-store.js";
import type { KeptBill, KeptBillLine, KeptBillSums } from "../bills/kept-bill-store.js";
import type { PayTool } from "../pay-tools/pay-tool.js";
import { parseInput } from "../shared/input.js";
import { account, anOrder, stub } from "../testing/stubs.js";
import { billReportInput, type BillReportPorts, openBillReport } from "./bill-report.js";
import { type BillReportFormat, billReportTexts } from "./bill-report-texts.js";
import { orThrow } from "../errors/or-throw.js";

const { payChannel, appEnv, accountId } = account;
const MERCHANT = { payChannel, appEnv, accountId };
const NOW = Date.parse("2026-10-01T00:00:00+08:00");
const tool: PayTool = { ...account, gmtCreate: NOW };
const OCTOBER = Array.from({ length: 31 }, (_, index) => `2026-10-${String(index + 1).padStart(2, "0")}`);

const lineOf = (changes: Partial<KeptBillLine> = {}): KeptBillLine => ({
  position: 1,
  kind: "payment",
  outTradeNo: "01A",
  amount: 600,
  state: "DONE",
  walletTradeNo: "42",
  appId: "app_1",
  bizNo: "b-1",
  settlementNo: "42",
  received: 600,
  fee: 4,
  ...changes,
});
const refund = { kind: "refund", refundNo: "r-1", amount: 200, received: -200, fee: -1 } as const;
const foreign = (changes: Partial<KeptBillLine> = {}): KeptBillLine => {
  const { appId: _appId, bizNo: _bizNo, ...line } = lineOf(changes);
  return line;
};
const billOf = (day: string, changes: Partial<KeptBill> = {}): KeptBill => ({
  ...MERCHANT,
  day,
  runId: `run-${day}`,
  asOf: 1,
  lines: 0,
  unreadable: 0,
  ...changes,
});
const exceptionOf = (changes: Partial<BillException>): BillException => ({
  ...MERCHANT,
  id: "e-1",
  day: "2026-10-01",
  kind: "PAYMENT_NOT_HERE",
  outTradeNo: "01A",
  asOf: 1,
  state: "OPEN",
  gmtCreate: 1,
  openedAt: 1,
  gmtModified: 1,
  ...changes,
});

/** A kept bill with its lines. */
type Stored = readonly [KeptBill, readonly KeptBillLine[]];

interface TestFixture {
  readonly stored: readonly Stored[];
  readonly tools?: readonly PayTool[];
  readonly exceptions?: readonly BillException[];
  readonly tookMoney?: boolean;
  /** When the runs began that compared the bills. */
  readonly comparedAt?: number;
}

function openFixture({
  stored,
  tools = [tool],
  exceptions = [],
  tookMoney = true,
  comparedAt = 1,
}: TestFixture) {
  const lines = new Map(stored.map(([{ runId }, theirs]) => [runId, theirs]));
  const pages: number[] = [];
  const ports: BillReportPorts = {
    payTools: stub({ listAll: () => okAsync(tools) }),
    orders: stub({ listPaid: () => okAsync(tookMoney ? [anOrder({})] : []) }),
    refunds: stub({ listConfirmed: () => okAsync([]) }),
    keptBills: stub({
      list: (from: string, until: string) =>
        okAsync(
          stored.flatMap(([bill, theirs]) =>
            bill.day >= from && bill.day <= until ? [{ ...bill, lines: theirs.length }] : [],
          ),
        ),
      sums: (runIds: readonly string[]) =>
        okAsync(runIds.flatMap((runId) => sumsOf(runId, lines.get(runId) ?? []))),
      page: (runId: string, after: number, limit: number) => {
        pages.push(limit);
        const left = (lines.get(runId) ?? []).filter(({ position }) => position > after);
        return okAsync(left.slice(0, limit));
      },
    }),
    billExceptions: stub({
      countByBill: () =>
        okAsync(
          exceptions.map((one) => {
            const isOpen = one.state === "OPEN";
            return { ...one, open: isOpen ? 1 : 0, resolved: isOpen ? 0 : 1 };
          }),
        ),
      listCompared: () => okAsync(stored.map(([bill]) => ({ ...bill, asOf: comparedAt, matched: 1 }))),
      list: ({ day, state, kind }: BillExceptionQuery) =>
        okAsync({
          items: exceptions.filter(
            (one) => one.day === day && one.state === state && (kind === undefined || one.kind === kind),
          ),
        }),
    }),
  };
  return { ports, lines, pages };
}

function sumsOf(runId: string, lines: readonly KeptBillLine[]): readonly KeptBillSums[] {
  return [...new Set(lines.map(({ appId }) => appId))].map((appId) => {
    const theirs = lines.filter((line) => line.appId === appId);
    const of = (kind: KeptBillLine["kind"]) => theirs.filter((line) => line.kind === kind);
    const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
    return {
      runId,
      ...(appId === undefined ? {} : { appId }),
      payments: of("payment").length,
      refunds: of("refund").length,
      paymentAmount: sum(of("payment").map(({ amount }) => amount)),
      refundAmount: sum(of("refund").map(({ amount }) => amount)),
      received: sum(theirs.map(({ received = 0 }) => received)),
      fees: sum(theirs.map(({ fee = 0 }) => fee)),
      unpriced: theirs.filter(({ fee }) => fee === undefined).length,
    };
  });
}

const inputOf = (parameters: object) => parseInput(billReportInput(), { appEnv, ...parameters });

async function opened(fixture: TestFixture, parameters: object, seesApp = (_appId: string) => true) {
  const { ports, ...rest } = openFixture(fixture);
  const input = orThrow(inputOf(parameters));
  const report = await orThrow(openBillReport(ports, input, seesApp));
  return { ...report, ...rest };
}

async function written(
  fixture: TestFixture,
  parameters: object,
  format: BillReportFormat,
  hasLines: boolean,
) {
  const next = billReportTexts(await opened(fixture, parameters), format, hasLines);
  let text = "";
  for (;;) {
    const texts = await orThrow(next());
    if (texts.length === 0) return text;
    text += texts.join("");
  }
}

async function linesOf({ nextLines }: Awaited<ReturnType<typeof opened>>) {
  const lines = [];
  for (;;) {
    const page = await orThrow(nextLines());
    if (page.length === 0) return lines;
    lines.push(...page);
  }
}

/** The lines of the first day of `MONTH`, one of each kind. */
const FIRST_LINES = [
  lineOf(),
  lineOf({ position: 2, ...refund }),
  lineOf({ position: 3, outTradeNo: "01B", appId: "app_2", amount: 1, received: 1, fee: 0 }),
  foreign({ position: 4, outTradeNo: "=till 7", amount: 50, received: 50, fee: 1 }),
];
const MONTH: readonly Stored[] = OCTOBER.map((day, index) =>
  index === 0
    ? [billOf(day, { fees: 4, opening: 1_000, closing: 1_447 }), FIRST_LINES]
    : [billOf(day), index === 30 ? [lineOf({ outTradeNo: "01Z" })] : []],
);

describe("openBillReport", () => {
  it("adds up the bills by day, account and app, and the month", async () => {
    const { report } = await opened({ stored: MONTH }, { period: "2026-10" });
    const first = { ...MERCHANT, day: "2026-10-01", unpriced: 0 };
    const none = { payments: 0, paymentAmount: 0, refunds: 0, refundAmount: 0 };
    expect(report.days).toEqual([
      {
        ...first,
        appId: "app_1",
        payments: 1,
        paymentAmount: 600,
        refunds: 1,
        refundAmount: 200,
        received: 400,
        fees: 3,
        net: 397,
      },
      { ...first, ...none, appId: "app_2", payments: 1, paymentAmount: 1, received: 1, fees: 0, net: 1 },
      { ...first, ...none, payments: 1, paymentAmount: 50, received: 50, fees: 1, net: 49 },
      {
        ...first,
        ...none,
        day: "2026-10-31",
        appId: "app_1",
        payments: 1,
        paymentAmount: 600,
        received: 600,
        fees: 4,
        net: 596,
      },
    ]);
    expect(report.totals).toMatchObject([
      { appId: "app_1", payments: 2, refunds: 1, fees: 7, net: 993 },
      { appId: "app_2", net: 1 },
      { net: 49 },
    ]);
    expect(report.total).toEqual({
      payments: 4,
      paymentAmount: 1_251,
      refunds: 1,
      refundAmount: 200,
      received: 1_051,
      fees: 8,
      net: 1_043,
      unpriced: 0,
    });
    expect(report.balances).toEqual([{ ...MERCHANT, day: "2026-10-01", opening: 1_000, closing: 1_447 }]);
    expect(report).toMatchObject({
      from: "2026-10-01",
      until: "2026-10-31",
      accounts: [MERCHANT],
      isComplete: true,
    });
  });

  it.each([
    ["2026-02", "2026-02-28"],
    ["2028-02", "2028-02-29"],
    ["2026-12", "2026-12-31"],
    ["2026-04", "2026-04-30"],
  ])("ends the month %s on %s", async (period, until) => {
    expect((await opened({ stored: [] }, { period })).report).toMatchObject({ from: `${period}-01`, until });
  });

  it("puts each line into the report of one day, and of the month", async () => {
    const days = [];
    for (const period of OCTOBER) days.push(...(await linesOf(await opened({ stored: MONTH }, { period }))));
    expect(days).toHaveLength(5);
    expect(await linesOf(await opened({ stored: MONTH }, { period: "2026-10" }))).toEqual(days);
    expect(days.map(({ net }) => net)).toEqual([596, -199, 1, 49, 596]);
  });

  it("contains only the lines of the app if it is about one app of a shared account", async () => {
    const shared = [tool, { ...tool, id: "tool-2", appId: "app_2" }];
    const of = { stored: MONTH, tools: shared };
    const asked = await opened(of, { period: "2026-10-01", appId: "app_2" });
    expect(asked.report.days.map(({ appId }) => appId)).toEqual(["app_2"]);
    expect(asked.report.balances).toEqual([]);
    expect((await linesOf(asked)).map(({ outTradeNo }) => outTradeNo)).toEqual(["01B"]);
    const limited = await opened(of, { period: "2026-10-01" }, (appId) => appId === "app_2");
    expect(limited.report.days).toEqual(asked.report.days);
    expect(limited.report.balances).toEqual([]);
    expect(await linesOf(limited)).toHaveLength(1);
    expect((await opened(of, { period: "2026-10-01" })).report.days).toHaveLength(3);
  });

  it("covers only the accounts, channel and gateway that it is asked for", async () => {
    for (const other of [
      { accountId: "other" },
      { payChannel: "WALLET_B" },
      { appEnv: "PROD" },
      { appId: "app_9" },
    ])
      expect((await opened({ stored: MONTH }, { period: "2026-10", ...other })).report).toMatchObject({
        accounts: [],
        days: [],
        missingDays: [],
        isComplete: false,
      });
    expect((await opened({ stored: MONTH }, { period: "2026-10" }, () => false)).report.days).toEqual([]);
  });

  it("names the days without a bill, also of a month in the future", async () => {
    const stored = MONTH.filter(([{ day }]) => day !== "2026-10-07");
    const { report } = await opened({ stored }, { period: "2026-10" });
    expect(report).toMatchObject({ missingDays: [{ ...MERCHANT, days: ["2026-10-07"] }], isComplete: false });
    const future = (await opened({ stored }, { period: "2027-02" })).report;
    expect(future.missingDays[0]?.days).toHaveLength(28);
    expect(future.isComplete).toBe(false);
    const before = (await opened({ stored }, { period: "2026-09" })).report;
    expect(before).toMatchObject({ missingDays: [], isComplete: true });
  });

  it("reports no missing bill of an account that has no working credentials and took no money", async () => {
    const tools = [{ ...tool, signStatus: "NO" } as const];
    const asked = { period: "2026-10-07" };
    expect((await opened({ stored: [], tools, tookMoney: false }, asked)).report.isComplete).toBe(true);
    expect((await opened({ stored: [], tools }, asked)).report.isComplete).toBe(false);
  });

  it("names the reasons why the sums of a day differ from those of its bill", async () => {
    const differencesOf = async (bill: Partial<KeptBill>, lines: readonly KeptBillLine[], seen = true) => {
      const stored: readonly Stored[] = [[billOf("2026-10-01", bill), lines]];
      const { report } = await opened(
        { stored },
        { period: "2026-10-01" },
        (appId) => seen || appId === "app_1",
      );
      expect(report.isComplete).toBe(report.differences.length === 0);
      return report.differences.map(({ day: _, payChannel: _c, appEnv: _e, accountId: _a, ...rest }) => rest);
    };
    const { fee: _fee, ...unpriced } = lineOf();
    expect(await differencesOf({ fees: 4 }, [lineOf()])).toEqual([]);
    expect(await differencesOf({ fees: 5 }, [lineOf()])).toEqual([{ kind: "fees", sum: 4, stated: 5 }]);
    expect(await differencesOf({ fees: 5, unreadable: 2 }, [lineOf()])).toEqual([
      { kind: "unreadable", count: 2 },
    ]);
    expect(await differencesOf({ fees: 4 }, [unpriced])).toEqual([{ kind: "unpriced", count: 1 }]);
  });

  it("names the open exceptions of the bills that the reader sees", async () => {
    const exceptions = [
      exceptionOf({ order: { appId: "app_1", bizNo: "b-1" } }),
      exceptionOf({ id: "e-2", day: "2026-10-02", order: { appId: "app_2", bizNo: "b-2" } }),
      exceptionOf({ id: "e-3", day: "2026-10-03", kind: "BALANCE", outTradeNo: "" }),
    ];
    const of = { stored: MONTH, exceptions, tools: [tool, { ...tool, id: "tool-2", appId: "app_2" }] };
    const idsOf = async (parameters: object, seesApp?: (appId: string) => boolean) =>
      (await opened(of, { period: "2026-10", ...parameters }, seesApp)).report.exceptions.map(({ id }) => id);
    expect(await idsOf({})).toEqual(["e-1", "e-2", "e-3"]);
    expect(await idsOf({ appId: "app_2" })).toEqual(["e-2"]);
    expect(await idsOf({}, (appId) => appId === "app_1")).toEqual(["e-1"]);
    expect((await opened(of, { period: "2026-10" })).report.isComplete).toBe(false);
  });

  it.each([
    [{ kind: "LINE_MISSING", outTradeNo: "" }, true],
    [{ kind: "LINE_MISSING", order: { appId: "app_2", bizNo: "secret-2" } }, true],
    [{ kind: "BALANCE", outTradeNo: "" }, true],
    [{ kind: "PAYMENT_AMOUNT", order: { appId: "app_2", bizNo: "secret-2" } }, false],
    [{ kind: "LINE_MISSING", outTradeNo: "", state: "GONE" }, false],
  ] as const)("is not complete for one app if %j may concern it: %s", async (changes, mayConcern) => {
    const day = "2026-10-01";
    const exception = exceptionOf({ amountHere: 987_654, walletTradeNo: "secret-42", ...changes });
    const tools = [tool, { ...tool, id: "tool-2", appId: "app_2" }];
    const of = { stored: [[billOf(day), [lineOf()]]] as const, exceptions: [exception], tools };
    const { report } = await opened(of, { period: day }, (appId) => appId === "app_1");
    expect(report).toMatchObject({ exceptions: [], isComplete: !mayConcern });
    expect(report.differences).toEqual(mayConcern ? [{ ...MERCHANT, day, kind: "exceptions" }] : []);
    expect(JSON.stringify(report)).not.toMatch(/secret|987654|app_2/);
    expect((await opened(of, { period: day, appId: "app_1" })).report.isComplete).toBe(!mayConcern);
    const whole = (await opened(of, { period: day })).report;
    expect(whole).toMatchObject({ differences: [], isComplete: exception.state !== "OPEN" });
  });

  it.each([
    ["not complete after not-ours, until the next comparison", "not-ours", { asOf: 2 }, 2, false],
    ["complete after not-ours and a comparison without the line", "not-ours", { asOf: 2 }, 2, true],
    ["complete immediately after settle, because the line stays", "settle", { asOf: 2 }, 2, true],
    [
      "not complete after settle of a line of another day's bill, until the next comparison",
      "settle",
      { asOf: 3 },
      2,
      false,
    ],
  ] as const)("is %s", async (_, remedy, found, comparedAt, isComplete) => {
    const day = "2026-10-01";
    const decided = exceptionOf({ kind: "LINE_MISSING", state: "RESOLVED", remedy, ...found });
    const keptAt = remedy === "not-ours" && isComplete ? 2 : 1;
    const stored: readonly Stored[] = [[billOf(day, { asOf: keptAt }), [lineOf()]]];
    const { report } = await opened({ stored, exceptions: [decided], comparedAt }, { period: day });
    expect(report.isComplete).toBe(isComplete);
    expect(report.missingDays).toEqual(isComplete ? [] : [{ ...MERCHANT, days: [day] }]);
  });

  it("reads the lines a page at a time", async () => {
    const many = Array.from({ length: 1_001 }, (_, index) => lineOf({ position: index + 1 }));
    const report = await opened({ stored: [[billOf("2026-10-01"), many]] }, { period: "2026-10-01" });
    expect(await orThrow(report.nextLines())).toHaveLength(500);
    expect(await linesOf(report)).toHaveLength(501);
    expect(new Set(report.pages)).toEqual(new Set([500]));
  });

  it("fails if lines were removed since it was opened, and never leaves them out", async () => {
    const report = await opened({ stored: MONTH }, { period: "2026-10" });
    report.lines.set("run-2026-10-31", []);
    const results = [await report.nextLines(), await report.nextLines()];
    expect(results.map((result) => result.isOk())).toEqual([true, false]);
    expect(results[1]?._unsafeUnwrapErr()).toMatchObject({ name: "storage.unavailable" });
    const { ports, lines } = openFixture({ stored: MONTH });
    lines.set("run-2026-10-01", FIRST_LINES.slice(1));
    const input = orThrow(inputOf({ period: "2026-10" }));
    expect((await openBillReport(ports, input, () => true))._unsafeUnwrapErr()).toMatchObject({
      name: "storage.unavailable",
    });
  });
});

describe("billReportInput", () => {
  it.each(["", "2026", "2026-13", "2026-1", "2026-02-30", "1999-12", "26-10-01", "2026-10-"])(
    "refuses the period %j",
    (period) => {
      expect(inputOf({ period })._unsafeUnwrapErr()).toMatchObject({ parameter: "period" });
    },
  );
});

describe("billReportTexts", () => {
  it("writes CSV whose lines add up to its days, with amounts in yuan and safe texts", async () => {
    const stored = MONTH.filter(([{ day }]) => day !== "2026-10-07");
    const exceptions = [exceptionOf({})];
    const text = await written({ stored, exceptions }, { period: "2026-10" }, "csv", true);
    expect(text.startsWith("\uFEFFrecord,day,channel,account,app,bizNo,orderId,")).toBe(true);
    expect(text.split("\r\n").slice(1)).toEqual([
      "day,2026-10-01,WALLET_A,merchant-1,app_1,,,,,,CNY,1,6.00,1,2.00,4.00,0.03,3.97,,,",
      "day,2026-10-01,WALLET_A,merchant-1,app_2,,,,,,CNY,1,0.01,0,0.00,0.01,0.00,0.01,,,",
      "day,2026-10-01,WALLET_A,merchant-1,,,,,,,CNY,1,0.50,0,0.00,0.50,0.01,0.49,,,",
      "day,2026-10-31,WALLET_A,merchant-1,app_1,,,,,,CNY,1,6.00,0,0.00,6.00,0.04,5.96,,,",
      "total,,WALLET_A,merchant-1,app_1,,,,,,CNY,2,12.00,1,2.00,10.00,0.07,9.93,,,",
      "total,,WALLET_A,merchant-1,app_2,,,,,,CNY,1,0.01,0,0.00,0.01,0.00,0.01,,,",
      "total,,WALLET_A,merchant-1,,,,,,,CNY,1,0.50,0,0.00,0.50,0.01,0.49,,,",
      "total,,,,,,,,,,CNY,4,12.51,1,2.00,10.51,0.08,10.43,,,",
      "balance,2026-10-01,WALLET_A,merchant-1,,,,,,,CNY,,,,,,,,10.00,14.47,",
      "line,2026-10-01,WALLET_A,merchant-1,app_1,b-1,01A,,42,DONE,CNY,1,6.00,0,0.00,6.00,0.04,5.96,,,",
      "line,2026-10-01,WALLET_A,merchant-1,app_1,b-1,01A,r-1,42,DONE,CNY,0,0.00,1,2.00,-2.00,-0.01,-1.99,,,",
      "line,2026-10-01,WALLET_A,merchant-1,app_2,b-1,01B,,42,DONE,CNY,1,0.01,0,0.00,0.01,0.00,0.01,,,",
      'line,2026-10-01,WALLET_A,merchant-1,,,"\'=till 7",,42,DONE,CNY,1,0.50,0,0.00,0.50,0.01,0.49,,,',
      "line,2026-10-31,WALLET_A,merchant-1,app_1,b-1,01Z,,42,DONE,CNY,1,6.00,0,0.00,6.00,0.04,5.96,,,",
      "missing-day,2026-10-07,WALLET_A,merchant-1,,,,,,,,,,,,,,,,,The bill of the day was not read.",
      "open-exception,2026-10-01,WALLET_A,merchant-1,,,01A,,,,,,,,,,,,,,PAYMENT_NOT_HERE e-1",
      "not-complete,,,,,,,,,,,,,,,,,,,,",
      "",
    ]);
  });

  it("writes one JSON document, with and without lines", async () => {
    for (const hasLines of [true, false]) {
      const parsed: unknown = JSON.parse(
        await written({ stored: MONTH }, { period: "2026-10" }, "json", hasLines),
      );
      const { report, nextLines: _nextLines } = await opened({ stored: MONTH }, { period: "2026-10" });
      const { exceptions: openExceptions, ...rest } = report;
      const lines = await linesOf(await opened({ stored: MONTH }, { period: "2026-10" }));
      const expected = { ...rest, openExceptions, currency: "CNY" };
      expect(parsed).toEqual(hasLines ? { ...expected, lines } : expected);
    }
  });

  it("says that a report is complete", async () => {
    const text = await written({ stored: MONTH }, { period: "2026-10" }, "csv", false);
    expect(text).toMatch(/\r\ncomplete,+\r\n$/);
    expect(text).not.toContain("line,");
  });

  it.each([
    [{ unreadable: 2 }, "Lines of the bill that could not be read: 2."],
    [{ fees: -105 }, "The fees of the lines add up to 0.04, and the bill states -1.05."],
  ])("says why the sums are not those of the bill: %j", async (bill, note) => {
    const stored: readonly Stored[] = [[billOf("2026-10-01", bill), [lineOf()]]];
    const text = await written({ stored }, { period: "2026-10-01" }, "csv", false);
    expect(text).toContain("difference,2026-10-01,WALLET_A,merchant-1,");
    expect(text).toContain(note);
  });
});
