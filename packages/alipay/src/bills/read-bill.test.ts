import { manyCases } from "@tillkit/contract-tests";
import { orThrow, yuanText } from "@tillkit/core";
import type { BillEntry, BillLine, LineSettlement, UnreadableLine } from "@tillkit/core/ports";
import fc from "fast-check";
import { okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { DAY, serveBill, type ServedBill } from "../testing/bill-server.js";
import { archiveOf, CLOSING, COLUMNS, DETAIL, gbk, PAYMENT, REFUND, SUMMARY } from "../testing/bill-files.js";
import { isBillAddress } from "./bill-address.js";

interface Served extends ServedBill {
  readonly files?: readonly (readonly string[])[];
}

/** Reads a bill from a server with these files. */
async function read({ files = [DETAIL, SUMMARY], ...served }: Served = {}) {
  const archive = served.archive ?? archiveOf(files.map((lines) => gbk(lines.join("\r\n"))));
  const { adapter, account, requests } = await serveBill({ ...served, archive });
  const lines: BillLine[] = [];
  const settlements: (LineSettlement | undefined)[] = [];
  const unreadable: UnreadableLine[] = [];
  const portions: number[] = [];
  const take = (some: readonly BillEntry[]) => {
    portions.push(some.length);
    for (const entry of some) {
      if (entry.kind === "unreadable") {
        unreadable.push(entry);
        continue;
      }
      const { settlement, ...line } = entry;
      lines.push(line);
      settlements.push(settlement);
    }
    return okAsync(undefined);
  };
  return {
    totals: await adapter.readBill(account, DAY, take, { deadline: 30_000 }),
    lines,
    settlements,
    unreadable,
    portions,
    requests,
  };
}

async function problemOf(served: Served): Promise<string> {
  const failure = (await read(served)).totals._unsafeUnwrapErr();
  expect(failure).toMatchObject({ name: "wallet.unknown", cause: "unverified" });
  return failure.detail;
}

const changed = (lines: readonly string[], from: string, to: string) =>
  lines.map((line) => (line.startsWith(from) ? to : line));

describe("a bill in the format that merchants receive", () => {
  it("is read, over https if possible, with commas in names", async () => {
    const { lines, totals, requests } = await read();
    const trade = { outTradeNo: "01JCXW9Z3K7Q2N5T8V0B4D6F1H", walletTradeNo: "2026111922001458860515315453" };
    expect(lines).toEqual([
      { ...trade, kind: "payment", amount: 100, state: "DONE" },
      { ...trade, kind: "refund", refundNo: "R-1", amount: 50, state: "DONE" },
    ]);
    const sums = { payments: 1, paymentAmount: 100, refunds: 1, refundAmount: 50 };
    expect(orThrow(totals)).toEqual({ ...sums, fees: 1 });
    expect(requests).toEqual([
      "/gateway.do",
      '{"bill_type":"trade","bill_date":"2026-11-19","secure":"true"}',
      "/bill.zip",
    ]);
  });

  it("contains the seller's settlements, with the merchant's number", async () => {
    const { settlements } = await read();
    expect(settlements).toEqual([
      { no: "01JCXW9Z3K7Q2N5T8V0B4D6F1H", received: 90, fee: 1 },
      { no: "01JCXW9Z3K7Q2N5T8V0B4D6F1H", received: -45, fee: 0 },
    ]);
  });

  it("is read for any order of its files, and with sums that do not subtract refunds", async () => {
    const gross = changed(SUMMARY, "合计", "合计\t,\t,1,1,1.00,0.90,0.00,0.05,0.00,-0.01,0.00,0.44");
    for (const files of [
      [SUMMARY, DETAIL],
      [DETAIL, gross],
    ])
      expect(orThrow((await read({ files })).totals)).toMatchObject({ payments: 1, refunds: 1 });
  });

  it("keeps the lines of the seller's other systems, with any order number or with none", async () => {
    for (const other of ["", "2026 店铺-7/001"]) {
      const foreign = PAYMENT.replace("01JCXW9Z3K7Q2N5T8V0B4D6F1H", other);
      const rows = [
        ...Array.from({ length: 20 }, () => PAYMENT),
        ...Array.from({ length: 150 }, () => foreign),
      ];
      const detail = [
        ...DETAIL.slice(0, 5),
        ...rows,
        ...DETAIL.slice(7, 8),
        "#交易合计：170笔，商家实收共153.00元，商家优惠共17.00元",
        "#退款合计：0笔，商家实收退款共0.00元，商家优惠退款共0.00元",
      ];
      const sums = "合计\t,\t,170,0,170.00,153.00,0.00,17.00,0.00,-1.70,0.00,151.30";
      const { lines, settlements, totals } = await read({ files: [detail, changed(SUMMARY, "合计", sums)] });
      expect(orThrow(totals)).toEqual({
        payments: 170,
        paymentAmount: 17_000,
        refunds: 0,
        refundAmount: 0,
        fees: 170,
      });
      expect(lines.filter(({ outTradeNo }) => outTradeNo === other)).toHaveLength(150);
      expect(settlements.filter((settlement) => settlement?.no !== "")).toHaveLength(other === "" ? 20 : 170);
      expect(settlements.reduce((sum, settlement) => sum + (settlement?.fee ?? 0), 0)).toBe(170);
    }
  });

  it("keeps the refunds of the seller's other systems, with any number of a refund or a store", async () => {
    const foreign = REFUND.replace("01JCXW9Z3K7Q2N5T8V0B4D6F1H", "shop-7")
      .replace("R-1", "退款 7/001")
      .replace("2026-11-19 10:56:48,\t", "2026-11-19 10:56:48,一号店");
    const detail = [
      ...DETAIL.slice(0, 6),
      ...Array.from({ length: 11 }, () => foreign),
      ...DETAIL.slice(7, 9),
      "#退款合计：11笔，商家实收退款共-4.95元，商家优惠退款共-0.55元",
    ];
    const sums = "合计\t,\t,1,11,-4.50,-4.05,0.00,-0.45,0.00,-0.01,0.00,-4.06";
    const { lines, totals } = await read({ files: [detail, changed(SUMMARY, "合计", sums)] });
    expect(orThrow(totals)).toMatchObject({ payments: 1, refunds: 11, refundAmount: 550 });
    expect(lines.filter(({ outTradeNo }) => outTradeNo === "shop-7")).toHaveLength(11);
    expect(lines[1]).toMatchObject({ kind: "refund", refundNo: "退款 7/001", amount: 50 });
  });

  it("names a refund without a number of its own by the number of its order", async () => {
    const { lines } = await read({ files: [changed(DETAIL, REFUND, REFUND.replace("R-1", "")), SUMMARY] });
    expect(lines[1]).toMatchObject({ kind: "refund", refundNo: "01JCXW9Z3K7Q2N5T8V0B4D6F1H", amount: 50 });
  });

  it("is read if it has no lines", async () => {
    const none = [
      "#交易合计：0笔，商家实收共0.00元，商家优惠共0.00元",
      "#退款合计：0笔，商家实收退款共0.00元，商家优惠退款共0.00元",
    ];
    const detail = [...DETAIL.filter((line) => line !== PAYMENT && line !== REFUND).slice(0, 6), ...none];
    const summary = changed(SUMMARY, "合计", "合计\t,\t,0,0,0.00,0.00,0.00,0.00,0.00,0.00,0.00,0.00");
    expect(orThrow((await read({ files: [detail, summary] })).totals)).toMatchObject({ payments: 0 });
  });

  it("is read in batches, with one batch in memory", { tags: "slow" }, async () => {
    const count = 20_000;
    const received = yuanText(count * 90);
    const closing = [
      `#交易合计：${count}笔，商家实收共${received}元，商家优惠共0.00元`,
      "#退款合计：0笔，商家实收退款共0.00元，商家优惠退款共0.00元",
    ];
    const [head, end] = [DETAIL.slice(0, 5), DETAIL.slice(7, 8)];
    const detail = [...head, ...Array.from({ length: count }, () => PAYMENT), ...end, ...closing];
    const net = yuanText(count * 100);
    const summary = changed(
      SUMMARY,
      "合计",
      `合计\t,\t,${count},0,${net},${received},0.00,0.00,0.00,0.00,0.00,0.00`,
    );
    const { totals, portions } = await read({ files: [detail, summary] });
    expect(orThrow(totals)).toMatchObject({ payments: count, paymentAmount: count * 100 });
    expect(Math.max(...portions)).toBe(500);
    expect(portions).toHaveLength(40);
  });
});

describe("an inconsistent bill", () => {
  it.each([
    ["another title", "#支付宝业务明细查询", "#支付宝账务明细查询", "line 1: it is not the title"],
    ["another seller", "#账号", "#账号：[20881021196858390156]", "line 2: it is the bill of another seller"],
    [
      "another day",
      "#起始日期",
      "#起始日期：[2026年11月18日 00:00:00]   终止日期：[2026年11月19日 00:00:00]",
      "line 3: it is the bill of another day",
    ],
    ["no seller", "#账号", "#", "does not name its seller and its day"],
    [
      "a missing column",
      "支付宝交易号",
      COLUMNS.replace("订单金额（元）", "金额"),
      "the column 订单金额（元） is missing",
    ],
    [
      "a changed amount",
      PAYMENT,
      PAYMENT.replace(",1.00,0.90,", ",2.00,1.90,"),
      "the amounts do not add up to this total",
    ],
    [
      "another amount than its totals",
      PAYMENT,
      PAYMENT.replace(",1.00,0.90,", ",2.00,0.90,"),
      "do not add up to its totals",
    ],
    [
      "a changed refund",
      REFUND,
      REFUND.replace(",-0.50,-0.45,", ",-0.60,-0.55,"),
      "the amounts do not add up to this total",
    ],
    [
      "another refund than its totals",
      REFUND,
      REFUND.replace(",-0.50,-0.45,", ",-0.60,-0.45,"),
      "do not add up to its totals",
    ],
    ["another count", "#交易合计", CLOSING[0]?.replace("1笔", "2笔") ?? "", "the table has 1 of them"],
    [
      "no mark at its end",
      "#-----------------------------------------业务明细列表结束",
      "#",
      "the line that ends the table is missing",
    ],
    ["no closing line", "#退款合计", "#", "ends early"],
  ])("is rejected if it has %s", async (_what, from, to, words) => {
    expect(await problemOf({ files: [changed(DETAIL, from, to), SUMMARY] })).toContain(words);
  });

  it("is rejected if a line is missing or was added", async () => {
    const fewer = DETAIL.filter((line) => line !== REFUND);
    const more = DETAIL.flatMap((line) => (line === PAYMENT ? [line, line] : [line]));
    for (const detail of [fewer, more, DETAIL.slice(0, 7), [...DETAIL, PAYMENT]])
      expect(await problemOf({ files: [detail, SUMMARY] })).toMatch(/of them|ends early|follows the end/);
  });

  it("is rejected if it differs from its totals, or has no totals", async () => {
    const sums = (line: string) => problemOf({ files: [DETAIL, changed(SUMMARY, "合计", line)] });
    expect(await sums("合计\t,\t,2,1,0.50,0.45,0.00,0.05,0.00,-0.01,0.00,0.44")).toContain(
      "its totals state other numbers",
    );
    expect(await sums("合计\t,\t,1,1,0.60,0.45,0.00,0.05,0.00,-0.01,0.00,0.44")).toContain(
      "do not add up to its totals",
    );
    expect(await sums("合计\t,\t,1,1,0.50,x,0.00,0.05,0.00,-0.01,0.00,0.44")).toContain("invalid amount");
    expect(await problemOf({ files: [DETAIL] })).toContain("no file with totals");
    expect(await problemOf({ files: [SUMMARY] })).toContain("no file with lines");
  });

  it("is rejected if it is not an archive, or if the archive is damaged", async () => {
    const file = gbk(DETAIL.join("\n"));
    const damaged = archiveOf([file], (header) => header.setUint32(16, 7, true));
    const larger = archiveOf([file], (header) => header.setUint32(24, 7, true));
    for (const archive of [
      Buffer.from("<html>"),
      new Uint8Array(),
      damaged,
      larger,
      archiveOf([file]).subarray(20),
    ])
      expect(await problemOf({ archive })).toContain("not a zip file, or it is damaged");
  });

  it("is rejected without decompression if its stated size exceeds the limit", async () => {
    const bomb = archiveOf([gbk("\n".repeat(100_000))]);
    expect(bomb.length).toBeLessThan(1_000);
    expect(await problemOf({ archive: bomb, maxBillBytes: 50_000 })).toContain("longer than 50000 bytes");
    expect(await problemOf({ archive: Buffer.alloc(60_000), maxBillBytes: 50_000 })).toContain(
      "more than 50000 bytes",
    );
  });

  it("fails with wallet.unknown for any other HTTP status, including a redirect", async () => {
    for (const status of [301, 302, 307, 308, 403, 500]) {
      const { totals, requests } = await read({ status });
      expect(totals._unsafeUnwrapErr()).toMatchObject({ name: "wallet.unknown" });
      expect(requests).not.toContain("/elsewhere");
    }
  });
});

describe("an unreadable line", () => {
  const numbers = { outTradeNo: "01JCXW9Z3K7Q2N5T8V0B4D6F1H", walletTradeNo: "2026111922001458860515315453" };
  const payment = { ...numbers, lineKind: "payment" } as const;
  it.each<readonly [string, string, string, Partial<UnreadableLine>]>([
    [
      "an invalid amount",
      PAYMENT.replace(",1.00,0.90,", ",1.00元,0.90,"),
      "it has 27 fields instead of 25",
      payment,
    ],
    ["too few fields", PAYMENT.slice(0, 80), "it has 6 fields instead of 25", payment],
    [
      "no number of the wallet",
      PAYMENT.replace("2026111922001458860515315453", ""),
      "it has 27 fields instead of 25",
      {},
    ],
    [
      "a payment with a negative amount",
      PAYMENT.replace(",1.00,", ",-1.00,"),
      "without a positive amount",
      payment,
    ],
    ["another kind", PAYMENT.replace("交易\t", "转账\t"), "it has 27 fields instead of 25", {}],
    [
      "another kind, and no comma in its name",
      PAYMENT.replace("交易\t", "转账\t").replace("会员, 30", "会员 30").replace("a, b", ""),
      "neither a payment nor a refund",
      numbers,
    ],
  ])("is passed as unreadable, and the rest is read: %s", async (_what, line, problem, known) => {
    const files = [changed(DETAIL, PAYMENT, line), SUMMARY];
    const { lines, unreadable, totals } = await read({ files });
    expect(lines).toMatchObject([{ kind: "refund", amount: 50 }]);
    const stated = unreadable.map(({ problem: _problem, digest: _digest, ...rest }) => rest);
    expect(stated).toEqual([{ kind: "unreadable", at: 6, ...known }]);
    expect(unreadable[0]?.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(unreadable[0]?.problem).toContain(problem);
    expect(orThrow(totals)).toMatchObject({
      payments: 0,
      refunds: 1,
      refundAmount: 50,
      fees: 1,
      unreadable: { lines: 1, paymentAmount: 90, refundAmount: 0 },
    });
  });

  it("may be a refund whose amount is not negative", async () => {
    const files = [changed(DETAIL, REFUND, REFUND.replace(",-0.50,", ",0.50,")), SUMMARY];
    const { lines, unreadable, totals } = await read({ files });
    expect(lines).toMatchObject([{ kind: "payment" }]);
    expect(unreadable).toMatchObject([
      { problem: "it is a refund without a negative amount", lineKind: "refund", refundNo: "R-1" },
    ]);
    expect(orThrow(totals).unreadable).toEqual({ lines: 1, paymentAmount: 0, refundAmount: 45 });
  });

  it("is reported without its title and payer, wherever the line was cut off", async () => {
    for (let end = 1; end < PAYMENT.length - 12; end += manyCases() ? 3 : 9) {
      const { unreadable } = await read({
        files: [changed(DETAIL, PAYMENT, PAYMENT.slice(0, end)), SUMMARY],
      });
      expect(JSON.stringify(unreadable)).not.toMatch(/VIP|会员|津水|qq\.com/);
      for (const { outTradeNo = numbers.outTradeNo, walletTradeNo = numbers.walletTradeNo } of unreadable)
        expect({ outTradeNo, walletTradeNo }).toEqual(numbers);
    }
  });

  it("counts as one line of the bill if a title contains a line break", async () => {
    const files = [changed(DETAIL, PAYMENT, PAYMENT.replace("会员, ", "会员\r\n")), SUMMARY];
    const { lines, unreadable, totals } = await read({ files });
    expect(lines).toMatchObject([{ kind: "refund" }]);
    expect(unreadable.map(({ at }) => at)).toEqual([6, 7]);
    expect(orThrow(totals).unreadable).toMatchObject({ lines: 2, paymentAmount: 90 });
  });

  it("does not make up for a missing line, or for totals below the sums of the lines", async () => {
    const detail = changed(DETAIL, PAYMENT, PAYMENT.slice(0, 80));
    const closedBy = (from: string, to: string) => problemOf({ files: [changed(detail, from, to), SUMMARY] });
    expect(await closedBy("#交易合计", "#交易合计：2笔，商家实收共0.90元，商家优惠共0.10元")).toContain(
      "has 0 of them",
    );
    expect(await closedBy("#退款合计", "#退款合计：2笔，商家实收退款共-0.90元，商家优惠退款共0元")).toContain(
      "fewer lines than it states",
    );
    expect(await closedBy("#交易合计", "#交易合计：1笔，商家实收共-0.90元，商家优惠共0.10元")).toContain(
      "do not add up",
    );
    const sums = changed(SUMMARY, "合计", "合计\t,\t,1,1,0.50,0.46,0.00,0.05,0.00,-0.01,0.00,0.44");
    expect(await problemOf({ files: [detail, sums] })).toContain("do not add up to its totals");
  });
});

describe("a title with commas", () => {
  it.each([
    ["a time of day", "2026-11-19 10:55:16"],
    ["a time of day between commas", "a,2026-11-19 10:55:16,b"],
    ["amounts", "1.00,0.90,0.00"],
    ["the whole line again", PAYMENT.replaceAll("\t", "")],
  ])(
    "is read if the columns around it leave one way to split the line; otherwise the line is unreadable: %s",
    async (_what, title) => {
      const detail = changed(DETAIL, PAYMENT, PAYMENT.replace("VIP 会员, 30 天", title));
      const { lines, unreadable, totals } = await read({ files: [detail, SUMMARY] });
      expect(totals.isOk()).toBe(true);
      expect(lines.length + unreadable.length).toBe(2);
      for (const { amount, kind } of lines) expect(amount).toBe(kind === "payment" ? 100 : 50);
    },
  );

  it("is read with a time of day, and with commas in a coupon's name", async () => {
    const rows = [
      PAYMENT.replace("VIP 会员, 30 天", "from 2026-11-19 10:55:16, 30 天"),
      PAYMENT.replace(",0.00,,0.00\t", ",0.00,a,b,0.00\t"),
    ];
    for (const row of rows) {
      const { lines } = await read({ files: [changed(DETAIL, PAYMENT, row), SUMMARY] });
      expect(lines.map(({ amount }) => amount)).toEqual([100, 50]);
    }
  });

  it("never changes the contents of a line", async () => {
    const part = fc.constantFrom("a", ",", "1.00", "0.90", "-0.01", "2026-11-19 10:55:16", "天", "交易");
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 9 }), async (parts) => {
        const detail = changed(DETAIL, PAYMENT, PAYMENT.replace("VIP 会员, 30 天", parts.join("")));
        const { lines, unreadable } = await read({ files: [detail, SUMMARY] });
        const [payment] = lines.filter(({ kind }) => kind === "payment");
        expect(payment?.amount ?? 100).toBe(100);
        expect(lines.length + unreadable.length).toBe(2);
      }),
      { numRuns: 60 },
    );
  });
});

describe("the response with the URL of a bill", () => {
  const none = (sub_code: string) => ({ code: "40004", msg: "Business Failed", sub_code });

  it("reports an empty day if the wallet has no data", async () => {
    for (const node of [none("NO_BILL_DATA"), { bill_file_code: "EMPTY_DATA_WITH_BILL_FILE" }]) {
      const { totals, requests } = await read({ node });
      expect(orThrow(totals)).toEqual({ payments: 0, paymentAmount: 0, refunds: 0, refundAmount: 0 });
      expect(requests).not.toContain("/bill.zip");
      const early = await read({ node, now: "2026-11-20T08:59:59+08:00" });
      expect(early.totals._unsafeUnwrapErr()).toMatchObject({ name: "wallet.rejected", reason: "not-ready" });
    }
  });

  it.each(["isp.bill_not_exist", "BILL_NOT_EXIST"])(
    "fails with `not-ready` for three days, and never reports an empty day: %s",
    async (code) => {
      const late = await read({ node: none(code), now: "2026-11-22T23:59:59+08:00" });
      expect(late.totals._unsafeUnwrapErr()).toMatchObject({ name: "wallet.rejected", reason: "not-ready" });
      const after = await read({ node: none(code), now: "2026-11-23T00:00:00+08:00" });
      expect(after.totals._unsafeUnwrapErr()).toMatchObject({
        name: "wallet.rejected",
        reason: "no-bill",
        trusted: true,
      });
    },
  );

  it("is missing for a day before the merchant registered", async () => {
    const { totals } = await read({ node: none("BILL_DATE_BEFORE_REGISTRATION") });
    expect(totals._unsafeUnwrapErr()).toMatchObject({ name: "wallet.rejected", reason: "no-bill" });
  });

  it("is not requested before the day has ended in China", async () => {
    const { totals, requests } = await read({ now: "2026-11-19T23:59:59+08:00" });
    expect(totals._unsafeUnwrapErr()).toMatchObject({ name: "wallet.rejected", reason: "not-ready" });
    expect(requests).toEqual([]);
  });

  it.each([
    ["SYSTEM_RATE_LIMIT", { name: "wallet.unknown", cause: "rate-limited" }],
    ["USER_RATE_LIMIT", { name: "wallet.unknown", cause: "rate-limited" }],
    ["UNKNOWN_ERROR", { name: "wallet.unknown", cause: "server-error" }],
    ["TYPE_NOT_SUPPORTED", { name: "wallet.rejected", reason: "other" }],
  ])("causes a failure: %s", async (code, failure) => {
    expect((await read({ node: none(code) })).totals._unsafeUnwrapErr()).toMatchObject(failure);
  });

  it("must contain a URL of the wallet", async () => {
    const { totals, requests } = await read({ node: { bill_download_url: "https://evil.example/bill.zip" } });
    expect(totals._unsafeUnwrapErr()).toMatchObject({ name: "wallet.unknown", cause: "unverified" });
    expect(requests).not.toContain("/bill.zip");
  });
});

describe("isBillAddress", () => {
  const official = "https://openapi.alipay.com/gateway.do";

  it.each([
    ["https://dwbillcenter.alipay.com/downloadBillFile.resource?fileId=1", official],
    ["https://openapi.alipay.com/bill", official],
    ["https://dwbillcenter.alipaydev.com/bill", "https://openapi-sandbox.dl.alipaydev.com/gateway.do"],
    ["http://127.0.0.1:1234/bill", "http://127.0.0.1:1234/gateway.do"],
  ])("accepts %s at %s", (address, gateway) => {
    expect(isBillAddress(address, gateway)).toBe(true);
  });

  it.each([
    "http://dwbillcenter.alipay.com/bill",
    "https://alipay.com.evil.example/bill",
    "https://notalipay.com/bill",
    "https://user:secret@dwbillcenter.alipay.com/bill",
    "https://dwbillcenter.alipay.com:8443/bill",
    "http://127.0.0.1:1234/bill",
    "file:///etc/passwd",
    "no address",
  ])("rejects %s", (address) => {
    expect(isBillAddress(address, official)).toBe(false);
  });
});
