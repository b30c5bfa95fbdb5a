import { aFoundException, aKeptBill, aKeptBillLine, anAccount, DAY, expectOk } from "@tillkit/contract-tests";
import { billReportInput, lastBillDay, openBillReport, orThrow, parseInput } from "@tillkit/core";
import { headersIn, type HttpReply, type Surface } from "@tillkit/core/http";
import { billReportTexts } from "@tillkit/core/operators";
import type { KeptBill, KeptBillLine } from "@tillkit/core/ports";
import { memoryPorts, type MemoryPorts } from "@tillkit/memory";
import { errAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { type Browser, openDashboard, sendForText } from "./testing/open-dashboard.js";

const NONE = { payments: 0, paymentAmount: 0, refunds: 0, refundAmount: 0, received: 0, fees: 0, net: 0 };
const REFUND = { kind: "refund", refundNo: "r-1", amount: 200, received: -200, fee: -1 } as const;

/** Stores the bill of a day and its lines. */
async function keepBill(ports: MemoryPorts, changes: Partial<KeptBill>, lines: readonly KeptBillLine[]) {
  const bill = aKeptBill({ lines: lines.length, ...changes });
  await expectOk(ports.keptBills.begin(bill.runId, bill, bill.asOf));
  await expectOk(ports.keptBills.add(bill.runId, lines));
  await expectOk(ports.keptBills.keep(bill, undefined, bill.asOf + 1));
}

/**
 * Opens a dashboard with an account of one app, and an account that two apps share.
 *
 * The bill of the first account was not read on the newer day.
 */
async function aTeam() {
  const ports = memoryPorts();
  const now = ports.clock.now();
  const [older, newer] = [lastBillDay(now - DAY), lastBillDay(now)];
  const tool = { payChannel: "WALLET_A", appEnv: "DEV", gmtCreate: now - 2 * DAY } as const;
  for (const [id, appId, accountId] of [
    ["t-1", "app_1", "shared"],
    ["t-2", "app_2", "shared"],
    ["t-3", "app_1", "own"],
  ] as const)
    await expectOk(ports.payTools.put(anAccount({ ...tool, id, appId, accountId })));
  const {
    bizNo: _bizNo,
    appId: _appId,
    ...foreign
  } = aKeptBillLine({ position: 4, amount: 50, received: 50 });
  await keepBill(ports, { accountId: "own", day: older }, [aKeptBillLine({ bizNo: "=1+1" })]);
  await keepBill(ports, { accountId: "shared", day: older, fees: 12, opening: 100, closing: 200 }, [
    aKeptBillLine(),
    aKeptBillLine({ position: 2, ...REFUND }),
    aKeptBillLine({ position: 3, appId: "app_2", amount: 30, received: 30, fee: 5 }),
    foreign,
  ]);
  await keepBill(ports, { accountId: "shared", day: newer, fees: 9, opening: 200, closing: 796 }, [
    aKeptBillLine(),
  ]);
  const account = { payChannel: "WALLET_A", appEnv: "DEV", accountId: "shared", day: newer } as const;
  await expectOk(
    ports.billExceptions.report([
      aFoundException({ ...account, order: { appId: "app_1", bizNo: "b-1" } }),
      aFoundException({ ...account, order: { appId: "app_2", bizNo: "b-2" } }),
    ]),
  );
  const dashboard = openDashboard(ports);
  await dashboard.create("root", "finance");
  await dashboard.create("mine", "finance", ["app_2"]);
  const [root, mine] = [await dashboard.signIn("root"), await dashboard.signIn("mine")];
  const csv = (cookie: string, query: string) =>
    sendForText(dashboard.surface, { path: "/api/bill-report.csv", query, headers: { cookie } });
  return { ...dashboard, root, mine, older, newer, csv };
}

/** Starts the export of a day with its lines. */
function start(surface: Surface, { cookie }: Browser, period: string) {
  return surface.handle({
    method: "GET",
    path: "/api/bill-report.csv",
    query: `period=${period}&appEnv=DEV&lines=true`,
    peer: "192.0.2.1",
    headers: headersIn({ cookie }),
    body: new Uint8Array(),
  });
}

function textsOf({ body }: HttpReply): AsyncIterator<string> {
  if (typeof body === "string" || body instanceof Uint8Array) throw new TypeError("The reply is no stream.");
  return body[Symbol.asyncIterator]();
}

const merchant = (accountId: string) => ({ payChannel: "WALLET_A", appEnv: "DEV", accountId });

/** Returns the file that `tillkit reports` writes for the period. */
async function commandLineFile(ports: MemoryPorts, period: string, hasLines: boolean): Promise<string> {
  const input = orThrow(parseInput(billReportInput(), { period, appEnv: "DEV" }));
  const next = billReportTexts(await expectOk(openBillReport(ports, input, () => true)), "csv", hasLines);
  let file = "";
  for (;;) {
    const texts = await expectOk(next());
    if (texts.length === 0) return file;
    file += texts.join("");
  }
}

describe("GET /api/bill-report", () => {
  it("adds up the bills by day, account and app, and names what is missing", async () => {
    const { root, older, newer } = await aTeam();
    const { status, json } = await root.get("/api/bill-report", `period=${older}&appEnv=DEV`);
    expect(status).toBe(200);
    const shared = {
      payments: 3,
      paymentAmount: 680,
      refunds: 1,
      refundAmount: 200,
      received: 480,
      fees: 12,
    };
    const own = { ...NONE, payments: 1, paymentAmount: 600, received: 600, fees: 4, net: 596 };
    const total = { payments: 4, paymentAmount: 1_280, refunds: 1, refundAmount: 200, received: 1_080 };
    expect(json).toEqual({
      from: older,
      until: older,
      isComplete: true,
      total: { ...total, fees: 16, net: 1_064 },
      days: [{ day: older, ...total, fees: 16, net: 1_064 }],
      accounts: [
        {
          ...merchant("own"),
          total: own,
          apps: [{ appId: "app_1", ...own }],
          opening: { day: older, amount: 1_000 },
          closing: { day: older, amount: 1_596 },
        },
        {
          ...merchant("shared"),
          total: { ...shared, net: 468 },
          apps: [
            {
              appId: "app_1",
              payments: 1,
              paymentAmount: 600,
              refunds: 1,
              refundAmount: 200,
              received: 400,
              fees: 3,
              net: 397,
            },
            { ...NONE, appId: "app_2", payments: 1, paymentAmount: 30, received: 30, fees: 5, net: 25 },
            { ...NONE, payments: 1, paymentAmount: 50, received: 50, fees: 4, net: 46 },
          ],
          opening: { day: older, amount: 100 },
          closing: { day: older, amount: 200 },
        },
      ],
      missingDays: [],
      openExceptions: [],
      hasMoreExceptions: false,
      differences: [],
    });
    const next = (await root.get("/api/bill-report", `period=${newer}&appEnv=DEV`)).json;
    expect(next).toMatchObject({
      isComplete: false,
      total: { net: 596 },
      missingDays: [{ ...merchant("own"), days: [newer] }],
      openExceptions: [{ ...merchant("shared"), day: newer, count: 2 }],
      differences: [{ ...merchant("shared"), day: newer, kind: "fees", sum: 4, stated: 9 }],
    });
  });

  it("has the days of a month, and the balances of its first and last day", async () => {
    const { ports, root, older, newer } = await aTeam();
    expect(older.slice(0, 7)).toBe(newer.slice(0, 7));
    const { json } = await root.get("/api/bill-report", `period=${older.slice(0, 7)}&appEnv=DEV`);
    expect(json).toMatchObject({
      days: [
        { day: older, net: 1_064 },
        { day: newer, net: 596 },
      ],
      total: { net: 1_660 },
      accounts: [
        { accountId: "own" },
        {
          accountId: "shared",
          opening: { day: older, amount: 100 },
          closing: { day: newer, amount: 796 },
        },
      ],
    });
    const file = await commandLineFile(ports, older.slice(0, 7), false);
    expect(file).toContain(`total,,,,,,,,,,CNY,5,18.80,1,2.00,16.80,0.20,16.60,,,`);
  });

  it("shows an operator of one app its own lines of a shared account, and no balance", async () => {
    const { mine, older, newer } = await aTeam();
    const only = { ...NONE, payments: 1, paymentAmount: 30, received: 30, fees: 5, net: 25 };
    const { json } = await mine.get("/api/bill-report", `period=${older}&appEnv=DEV`);
    expect(json).toMatchObject({ total: only, days: [{ day: older, ...only }] });
    expect(json["accounts"]).toEqual([
      { ...merchant("shared"), total: only, apps: [{ appId: "app_2", ...only }] },
    ]);
    const next = (await mine.get("/api/bill-report", `period=${newer}&appEnv=DEV`)).json;
    expect(next).toMatchObject({ total: NONE, days: [], missingDays: [], differences: [] });
    expect(next["openExceptions"]).toEqual([{ ...merchant("shared"), day: newer, count: 1 }]);
  });

  it.each(["appId=app_1", "appId=app_unknown", "accountId=own", "accountId=unknown"])(
    "answers an operator of another app to %s as if it did not exist",
    async (filter) => {
      const { mine, csv, older } = await aTeam();
      const query = `period=${older}&appEnv=DEV&${filter}`;
      expect((await mine.get("/api/bill-report", query)).json).toEqual({
        from: older,
        until: older,
        isComplete: false,
        total: NONE,
        days: [],
        accounts: [],
        missingDays: [],
        openExceptions: [],
        hasMoreExceptions: false,
        differences: [],
      });
      const { status, text } = await csv(mine.cookie, `${query}&lines=true`);
      expect(status).toBe(200);
      expect(text.split("\r\n").slice(1)).toEqual([
        "total,,,,,,,,,,CNY,0,0.00,0,0.00,0.00,0.00,0.00,,,",
        "not-complete,,,,,,,,,,,,,,,,,,,,No account matches the filters.",
        "",
      ]);
    },
  );

  it("reports only the chosen app, account, channel and gateway", async () => {
    const { root, older } = await aTeam();
    const netOf = async (filter: string) => {
      const { json } = await root.get("/api/bill-report", `period=${older}&${filter}`);
      return json["total"];
    };
    expect(await netOf("appEnv=DEV&appId=app_1")).toMatchObject({ net: 993 });
    expect(await netOf("appEnv=DEV&accountId=own")).toMatchObject({ net: 596 });
    expect(await netOf("appEnv=DEV&payChannel=WALLET_A")).toMatchObject({ net: 1_064 });
    expect(await netOf("appEnv=DEV&payChannel=WALLET_B")).toEqual(NONE);
    expect(await netOf("appEnv=PROD")).toEqual(NONE);
    expect(await netOf("")).toEqual(NONE);
  });

  it.each(["", "period=2026", "period=2026-13", "period=2026-02-30", "period=1999-12"])(
    "answers 400 to the query %j",
    async (query) => {
      const { root, csv } = await aTeam();
      const { status, json } = await root.get("/api/bill-report", query);
      expect(status).toBe(400);
      expect(json["error"]).toMatchObject({ parameter: "period" });
      expect((await csv(root.cookie, query)).status).toBe(400);
    },
  );
});

describe("GET /api/bill-report.csv", () => {
  it.each([true, false])("is the file of the command line (with lines: %s)", async (hasLines) => {
    const { ports, root, csv, older } = await aTeam();
    const query = `period=${older.slice(0, 7)}&appEnv=DEV`;
    const { status, headers, text } = await csv(root.cookie, hasLines ? `${query}&lines=true` : query);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="bill-report-${older.slice(0, 7)}.csv"`,
      "cache-control": "no-store",
    });
    expect(text).toBe(await commandLineFile(ports, older.slice(0, 7), hasLines));
    expect(text.match(/\r\nline,/g) ?? []).toHaveLength(hasLines ? 6 : 0);
    expect(text.includes(`"'=1+1"`)).toBe(hasLines);
  });

  it("contains only lines of the app's orders for an operator of one app", async () => {
    const { mine, csv, older, newer } = await aTeam();
    const { text } = await csv(mine.cookie, `period=${older.slice(0, 7)}&appEnv=DEV&lines=true`);
    const records = text.split("\r\n").map((line) => line.split(",").slice(0, 5).join(","));
    const known = records.slice(1).filter((record) => !record.startsWith("missing-day,"));
    expect(known).toEqual([
      `day,${older},WALLET_A,shared,app_2`,
      "total,,WALLET_A,shared,app_2",
      "total,,,,",
      `line,${older},WALLET_A,shared,app_2`,
      `open-exception,${newer},WALLET_A,shared,app_2`,
      "not-complete,,,,",
      "",
    ]);
  });

  it("is in the audit log with its filter", async () => {
    const { ports, root, csv, older } = await aTeam();
    await csv(root.cookie, `period=${older}&appEnv=DEV&appId=app_1&lines=true`);
    const { items } = await expectOk(ports.auditLog.search({ action: "settlements.export", limit: 10 }));
    expect(items).toMatchObject([
      { operator: "root", outcome: "done", subject: "bill-report", appId: "app_1" },
    ]);
    expect(JSON.parse(items[0]?.detail ?? "")).toEqual({
      period: older,
      appEnv: "DEV",
      appId: "app_1",
      lines: "true",
    });
  });

  it("fails, and is not in the audit log, if the bills cannot be read", async () => {
    const { ports, root, older } = await aTeam();
    const sums = () => errAsync({ name: "storage.unavailable", cause: "test" } as const);
    const { surface } = openDashboard({ ...ports, keptBills: { ...ports.keptBills, sums } });
    const request = { query: `period=${older}&appEnv=DEV`, headers: { cookie: root.cookie } };
    for (const path of ["/api/bill-report", "/api/bill-report.csv"])
      expect((await sendForText(surface, { path, ...request })).status).toBe(503);
    const found = await expectOk(ports.auditLog.search({ action: "settlements.export", limit: 10 }));
    expect(found.items).toEqual([]);
  });

  it("reads no bill if the operator has too many exports", async () => {
    const { ports, root, older } = await aTeam();
    let reads = 0;
    const list: MemoryPorts["keptBills"]["list"] = (from, until) => {
      reads += 1;
      return ports.keptBills.list(from, until);
    };
    const { surface } = openDashboard({ ...ports, keptBills: { ...ports.keptBills, list } });
    for (let nth = 0; nth < 3; nth += 1) await textsOf(await start(surface, root, older)).next();
    expect((await start(surface, root, older)).status).toBe(429);
    expect(reads).toBe(3);
  });

  it("breaks off if lines are removed during the export", async () => {
    const { ports, surface, root, older } = await aTeam();
    const texts = textsOf(await start(surface, root, older));
    await texts.next();
    await expectOk(ports.keptBills.remove({ before: 0, day: "2199-01-01" }, 100));
    await expect(texts.next()).rejects.toThrow("The export ended early: storage.unavailable.");
  });
});
