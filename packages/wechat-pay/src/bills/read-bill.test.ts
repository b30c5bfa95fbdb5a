import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { expectOk, manyCases } from "@tillkit/contract-tests";
import { orThrow, yuanText } from "@tillkit/core";
import type { BillEntry, BillLine, LineSettlement, UnreadableLine } from "@tillkit/core/ports";
import { systemRandom } from "@tillkit/runtime";
import fc from "fast-check";
import { okAsync } from "neverthrow";
import { describe, expect, it, onTestFinished } from "vitest";
import { BILL, HEADER, PAYMENT, REFUND, TOTALS } from "../testing/bill-text.js";
import { account, NOW } from "../testing/keys.js";
import { openWallet } from "../testing/open-wallet.js";
import { LIMITS } from "../testing/requests.js";
import { openWire, type WireCall, type WireHandler, type WireReply } from "../testing/wechat-wire.js";
import { wechatPayWallet } from "../wechat-pay-wallet.js";

const DAY = "2026-11-19";
const FILE = "/v3/billdownload/file?token=6XIv5TUPto7pByrTQKhd6kwvyKLG2uY2wMMR8cNXqaA";

interface Served {
  readonly text?: string;
  readonly answer?: Readonly<Record<string, unknown>>;
  readonly reply?: WireReply;
  readonly file?: Uint8Array;
  /** Answers the download with a redirect to this address. */
  readonly location?: string;
  readonly maxBillBytes?: number;
  /** The current time of client and server, epoch milliseconds. */
  readonly now?: number;
}

/** Reads a bill from a server that by default returns the correct digest. */
async function read(served: Served = {}) {
  const { text = BILL.join("\r\n"), answer, reply, file = gzipSync(text), now = NOW } = served;
  const calls: WireCall[] = [];
  const named = {
    hash_type: "SHA1",
    hash_value: createHash("sha1").update(text).digest("hex"),
    download_url: `https://api.mch.weixin.qq.com${FILE}`,
    ...answer,
  };
  const part: WireHandler = (call, response) => {
    calls.push(call);
    if (!call.target.includes("/billdownload/")) return reply ?? { status: 200, body: JSON.stringify(named) };
    if (served.location !== undefined) response.writeHead(302, { location: served.location }).end();
    else response.writeHead(200, { "content-type": "application/octet-stream" }).end(file);
    return undefined;
  };
  const wire = await openWire(part, () => now);
  onTestFinished(() => wire.close());
  const wallet = wechatPayWallet({
    clock: { now: () => now },
    random: systemRandom,
    gateways: { DEV: wire.url },
    ...(served.maxBillBytes === undefined ? {} : { maxBillBytes: served.maxBillBytes }),
  });
  const lines: BillLine[] = [];
  const settlements: (LineSettlement | undefined)[] = [];
  const unreadable: UnreadableLine[] = [];
  const take = (some: readonly BillEntry[]) => {
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
  const totals = await wallet.readBill(account, DAY, take, LIMITS);
  expect(wire.refused).toEqual([]);
  return { lines, settlements, unreadable, totals, calls };
}

/** Returns why a bill with these lines is invalid. */
async function problemOf(lines: readonly string[]): Promise<string> {
  const failure = (await read({ text: lines.join("\n") })).totals._unsafeUnwrapErr();
  expect(failure).toMatchObject({ name: "wallet.unknown", cause: "unverified" });
  return failure.detail;
}

describe("a bill in its documented format", () => {
  it("is read with order amounts and requested refund amounts", async () => {
    const { lines, totals, calls } = await read();
    const trade = { outTradeNo: "01JCXW9Z3K7Q2N5T8V0B4D6F1H", walletTradeNo: "4200000001202611190000000001" };
    expect(lines).toEqual([
      { ...trade, kind: "payment", amount: 100, state: "DONE" },
      { ...trade, kind: "refund", refundNo: "R-1", amount: 50, state: "DONE" },
    ]);
    const sums = { payments: 1, paymentAmount: 100, refunds: 1, refundAmount: 50 };
    // 0.00270 yuan, rounded to the cent.
    expect(orThrow(totals)).toEqual({ ...sums, fees: 0 });
    expect(calls.map(({ method, target }) => [method, target])).toEqual([
      ["GET", "/base/v3/bill/tradebill?bill_date=2026-11-19&bill_type=ALL&tar_type=GZIP"],
      // The request is signed and goes to the account's gateway, not to the host in the response.
      ["GET", `/base${FILE}`],
    ]);
  });

  it("contains net settlements without coupons, with WeChat Pay's numbers and fees in whole cents", async () => {
    const rows = [PAYMENT.replace("`0.00540", "`0.01000"), REFUND.replace("`-0.00270", "`-0.01000")];
    const { settlements, totals } = await read({
      text: [HEADER, ...rows, TOTALS, "`2,`0.90,`0.45,`0.00,`0.00000,`1.00,`0.50"].join("\n"),
    });
    expect(settlements).toEqual([
      { no: "4200000001202611190000000001", received: 90, fee: 1 },
      { no: "50300000012026111900000000001", received: -45, fee: -1 },
    ]);
    expect(orThrow(totals)).toMatchObject({ fees: 0 });
  });

  it("is read for any order of its columns", async () => {
    const turned = (line: string, by: string) => line.split(by).reverse().join(by);
    const rows = [PAYMENT, REFUND].map((row) => `\`${turned(row.slice(1), ",`")}`);
    const { lines } = await read({ text: [turned(HEADER, ","), ...rows, ...BILL.slice(3)].join("\n") });
    expect(lines.map(({ amount }) => amount)).toEqual([100, 50]);
  });

  it("reports an unfinished and a failed refund as OPEN", async () => {
    for (const state of ["PROCESSING", "FAIL", ""]) {
      const text = BILL.join("\n").replace("`ORIGINAL,`SUCCESS", `\`ORIGINAL,\`${state}`);
      expect((await read({ text })).lines[1]).toMatchObject({ kind: "refund", state: "OPEN" });
    }
  });

  it("reads a revoked payment as a refund without a number", async () => {
    const revoked = REFUND.replace("`REFUND,", "`REVOKED,").replace("`R-1,", "`0,");
    const { lines } = await read({ text: [HEADER, PAYMENT, revoked, ...BILL.slice(3)].join("\n") });
    expect(lines[1]).toMatchObject({ kind: "refund", amount: 50 });
    expect(lines[1]).not.toHaveProperty("refundNo");
  });

  it("keeps the lines of the merchant's other apps", async () => {
    const { lines } = await read({
      text: BILL.join("\n").replaceAll("wxd678efh567hg6787", "wx0000000000000000"),
    });
    expect(lines).toHaveLength(2);
  });

  it("keeps the lines of the merchant's other systems, with any order number or with none", async () => {
    for (const other of ["", "0", "2026 店铺-7/001"]) {
      const foreign = PAYMENT.replace("01JCXW9Z3K7Q2N5T8V0B4D6F1H", other);
      const rows = [
        ...Array.from({ length: 20 }, () => PAYMENT),
        ...Array.from({ length: 150 }, () => foreign),
      ];
      const last = "`170,`153.00,`0.00,`0.00,`0.91800,`170.00,`0.00";
      const { lines, totals } = await read({ text: [HEADER, ...rows, TOTALS, last].join("\n") });
      expect(orThrow(totals)).toEqual({
        payments: 170,
        paymentAmount: 17_000,
        refunds: 0,
        refundAmount: 0,
        fees: 92,
      });
      expect(lines.filter(({ outTradeNo }) => outTradeNo === other)).toHaveLength(150);
    }
  });

  it("is empty if it has no lines", async () => {
    const text = [HEADER, TOTALS, "`0,`0.00,`0.00,`0.00,`0.00000,`0.00,`0.00"].join("\n");
    expect(orThrow((await read({ text })).totals)).toMatchObject({ payments: 0, refunds: 0 });
  });
});

describe("an inconsistent bill", () => {
  it.each([
    ["a missing column", HEADER.replace(",订单金额,", ",总金额,"), "the column 订单金额 is missing"],
    ["a repeated column", `${HEADER},商户号`, "the column 商户号 occurs twice"],
    ["a page", "<html></html>", "is missing"],
  ])("is rejected if it has %s", async (_what, header, words) => {
    expect(await problemOf([header, ...BILL.slice(1)])).toContain(words);
  });

  it("is rejected if it belongs to another merchant", async () => {
    const lines = [HEADER, PAYMENT.replace("1900000109", "1900000110"), ...BILL.slice(2)];
    expect(await problemOf(lines)).toContain("line 2: it belongs to another merchant");
  });

  it("is rejected as the bill of another day if no line is of the day", async () => {
    const dated = (rows: readonly string[], day: string) => rows.map((row) => row.replace("2026-11-19", day));
    expect(await problemOf(dated(BILL, "2026-11-18"))).toContain("it is the bill of another day");
    expect(await problemOf(dated(BILL, "2026-11-1"))).toContain("it is the bill of another day");
    const mixed = [HEADER, ...dated([PAYMENT], "2026-11-20"), ...BILL.slice(2)];
    expect((await read({ text: mixed.join("\n") })).lines).toHaveLength(2);
  });

  it("is rejected if it does not add up", async () => {
    const last = "`2,`0.90,`0.45,`0.00,`0.00270,`1.00,`0.50";
    const closedBy = (totals: string) => problemOf([HEADER, PAYMENT, REFUND, TOTALS, totals]);
    expect(await closedBy(last.replace("`2,", "`3,"))).toContain("the bill has 2 lines");
    expect(await closedBy(last.replace("`1.00,", "`1.01,"))).toContain("do not add up");
    expect(await closedBy(last.replace("`0.50", "`0.49"))).toContain("do not add up");
    expect(await problemOf([HEADER, PAYMENT, REFUND, TOTALS, last, PAYMENT])).toContain("follows the end");
  });

  it("is rejected if it ends early", async () => {
    for (const lines of [[], [HEADER], [HEADER, PAYMENT], [HEADER, PAYMENT, TOTALS]])
      expect(await problemOf(lines)).toContain("ends early");
  });

  it("is not read from the address of a redirect", async () => {
    const elsewhere = await openWire(
      () => ({ status: 200, body: "" }),
      () => NOW,
    );
    onTestFinished(() => elsewhere.close());
    const { totals, calls } = await read({ location: `${elsewhere.url}/elsewhere` });
    expect(totals._unsafeUnwrapErr()).toMatchObject({ name: "wallet.unknown", cause: "unverified" });
    expect([calls.length, elsewhere.connections()]).toEqual([2, 0]);
  });

  it("is rejected if it differs from the signed digest", async () => {
    const { totals, lines } = await read({ answer: { hash_value: "0".repeat(40) } });
    expect(totals._unsafeUnwrapErr()).toMatchObject({ cause: "unverified" });
    expect(totals._unsafeUnwrapErr()).toHaveProperty(
      "detail",
      expect.stringContaining("does not have the digest"),
    );
    // The lines were delivered before the error was found. The caller must not use them.
    expect(lines).toHaveLength(2);
  });

  it("is rejected if it is not a gzip file, incomplete, or too long", async () => {
    const whole = gzipSync(BILL.join("\r\n"));
    for (const file of [Buffer.from("<html>"), whole.subarray(0, 50), new Uint8Array()])
      expect((await read({ file })).totals._unsafeUnwrapErr()).toMatchObject({ cause: "unverified" });
    const { totals } = await read({ maxBillBytes: 200 });
    expect(totals._unsafeUnwrapErr()).toHaveProperty(
      "detail",
      expect.stringContaining("longer than 200 bytes"),
    );
  });
});

describe("an unreadable line", () => {
  const numbers = { outTradeNo: "01JCXW9Z3K7Q2N5T8V0B4D6F1H", walletTradeNo: "4200000001202611190000000001" };
  const payment = { ...numbers, lineKind: "payment" } as const;
  it.each<readonly [string, string, string, Partial<UnreadableLine>]>([
    ["too few fields", PAYMENT.slice(0, -2), "it has 26 fields instead of 27", payment],
    ["too early an end", PAYMENT.slice(0, 150), "it has 9 fields instead of 27", numbers],
    ["an invalid amount", PAYMENT.replace("`1.00,", "`1,00,"), "an invalid amount", payment],
    ["a fraction of a cent", PAYMENT.replace("`1.00,", "`1.001,"), "an invalid amount", payment],
    ["an invalid fee", PAYMENT.replace("`0.00540", "`none"), "an invalid amount", payment],
    ["another currency", PAYMENT.replace("`CNY", "`HKD"), "it is not in CNY", payment],
    ["no merchant", PAYMENT.replace("1900000109", "shop"), "its merchant number is not valid", payment],
    ["an unknown state", PAYMENT.replace("`SUCCESS", "`USERPAYING"), "its state is unknown", numbers],
    [
      "no number of the wallet",
      PAYMENT.replace("4200000001202611190000000001", ""),
      "it has no wallet number",
      { lineKind: "payment", outTradeNo: numbers.outTradeNo },
    ],
    [
      "a number that is too long",
      PAYMENT.replace("01JCXW9Z3K7Q2N5T8V0B4D6F1H", "x".repeat(65)),
      "it has no valid order number",
      { ...payment, outTradeNo: "x".repeat(65) },
    ],
    ["no money", PAYMENT.replace("`1.00,", "`0.00,"), "it moves no money", payment],
    ["no end", "`".padEnd(20_000, "x"), "it has 1 fields instead of 27", {}],
    ["no beginning", "VIP 会员", "it does not start like a bill line", {}],
  ])("is passed as unreadable, and the rest is read: %s", async (_what, line, problem, known) => {
    const { lines, unreadable, totals } = await read({ text: [HEADER, line, ...BILL.slice(2)].join("\n") });
    expect(lines).toMatchObject([{ kind: "refund", amount: 50 }]);
    const digest = createHash("sha256").update(line.slice(0, 16_384)).digest("hex");
    const stated = unreadable.map(({ problem: _problem, ...rest }) => rest);
    expect(stated).toEqual([{ kind: "unreadable", at: 2, digest, ...known }]);
    expect(unreadable[0]?.problem).toContain(problem);
    // The totals minus the readable lines.
    expect(orThrow(totals)).toMatchObject({
      payments: 0,
      paymentAmount: 0,
      refunds: 1,
      refundAmount: 50,
      unreadable: { lines: 1, paymentAmount: 100, refundAmount: 0 },
    });
  });

  it.each([
    ["REFUND", "refund"],
    ["REVOKED", "refund"],
    ["SUCCESS", "payment"],
    ["USERPAYING", undefined],
  ])("is reported with its kind if its state is known: %s", async (state, lineKind) => {
    const line = REFUND.replace("`REFUND", `\`${state}`).replace("`CNY", "`HKD");
    const { unreadable } = await read({ text: [HEADER, PAYMENT, line, ...BILL.slice(3)].join("\n") });
    expect(unreadable.map((one) => one.lineKind)).toEqual([lineKind]);
    expect(unreadable).toMatchObject([{ refundNo: "R-1" }]);
  });

  it("is reported without its title and payer, wherever the line was cut off", async () => {
    for (let end = 1; end < PAYMENT.length - 1; end += manyCases() ? 1 : 9) {
      const { unreadable } = await read({
        text: [HEADER, PAYMENT.slice(0, end), ...BILL.slice(2)].join("\n"),
      });
      const output = JSON.stringify(unreadable);
      expect(output).not.toMatch(/oUpF8|VIP|会员|wxd678/);
      // No number is truncated.
      for (const { outTradeNo = numbers.outTradeNo, walletTradeNo = numbers.walletTradeNo } of unreadable)
        expect({ outTradeNo, walletTradeNo }).toEqual(numbers);
    }
  });

  it("counts as one line of the bill if a title contains a line break", async () => {
    const { lines, unreadable, totals } = await read({
      text: [HEADER, PAYMENT.replace("会员, ", "会员\n"), ...BILL.slice(2)].join("\n"),
    });
    expect(lines).toMatchObject([{ kind: "refund" }]);
    expect(unreadable.map(({ at }) => at)).toEqual([2, 3]);
    expect(orThrow(totals)).toMatchObject({ unreadable: { lines: 2, paymentAmount: 100 } });
  });

  it("does not make up for a missing line, or for totals below the sums of the lines", async () => {
    const faulty = PAYMENT.slice(0, -2);
    const closedBy = (last: string) => problemOf([HEADER, faulty, REFUND, TOTALS, last]);
    expect(await closedBy("`3,`0.90,`0.45,`0.00,`0.00270,`1.00,`0.50")).toContain("1 that cannot be read");
    expect(await closedBy("`0,`0.90,`0.45,`0.00,`0.00270,`1.00,`0.50")).toContain(
      "its totals state another number",
    );
    expect(await closedBy("`2,`0.90,`0.45,`0.00,`0.00270,`1.00,`0.49")).toContain("do not add up");
    // The total counts one line, so the unreadable text was no line and the readable line must add
    // up.
    expect(await closedBy("`1,`0.90,`0.45,`0.00,`0.00270,`1.00,`0.50")).toContain("do not add up");
  });
});

describe("a title that looks like the end of a field", () => {
  it.each([
    ["a tick after a comma", "a,`b"],
    ["several of them", "`,`,`,`"],
    ["amounts", "9.99,`8.88,`7.77"],
    ["a fee and a rate", "0.60%,`9.99"],
    ["a line of its own", "x,`-0.1,`0.60%,`5.00"],
  ])("is read if the columns around it leave one way to split the line: %s", async (_what, title) => {
    const rows = [PAYMENT, REFUND].map((row) => row.replace("VIP 会员, 30 天", title));
    const { lines, totals } = await read({ text: [HEADER, ...rows, ...BILL.slice(3)].join("\n") });
    expect(lines.map(({ amount }) => amount)).toEqual([100, 50]);
    expect(orThrow(totals)).not.toHaveProperty("unreadable");
  });

  it("makes its line unreadable if there are two ways to split it, and never changes the amount", async () => {
    // The title looks like the end of a line, so the remark on the rate may start inside the title.
    const title = "a,`b,`0.00540,`0.60%,`9.99,`0.00,`";
    const text = [HEADER, PAYMENT.replace("VIP 会员, 30 天", title), ...BILL.slice(2)].join("\n");
    const { lines, unreadable, totals } = await read({ text });
    expect(lines).toMatchObject([{ kind: "refund" }]);
    expect(unreadable).toMatchObject([
      {
        problem: "its fields can be assigned to the columns in more than one way",
        outTradeNo: "01JCXW9Z3K7Q2N5T8V0B4D6F1H",
      },
    ]);
    expect(orThrow(totals).unreadable).toEqual({ lines: 1, paymentAmount: 100, refundAmount: 0 });
  });

  it("never changes the contents of a line", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("a", ",`", ",", "`", "0.60%", "1.00", "0.00", "-0.00540", "天"), {
          maxLength: 9,
        }),
        async (parts) => {
          const rows = [PAYMENT.replace("VIP 会员, 30 天", parts.join("")), REFUND];
          const { lines, unreadable } = await read({ text: [HEADER, ...rows, ...BILL.slice(3)].join("\n") });
          const [payment] = lines.filter(({ kind }) => kind === "payment");
          expect(payment?.amount ?? 100).toBe(100);
          expect(lines.length + unreadable.length).toBe(2);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("the response with the URL of a bill", () => {
  const refusal = (code: string): WireReply => ({
    status: 400,
    body: JSON.stringify({ code, message: "x" }),
  });

  it.each(["NO_STATEMENT_EXIST", "NOSTATEMENTEXIST"])("means no bill, not an empty day: %s", async (code) => {
    const { totals, calls } = await read({ reply: refusal(code) });
    expect(totals._unsafeUnwrapErr()).toMatchObject({
      name: "wallet.rejected",
      reason: "no-bill",
      trusted: true,
    });
    expect(calls).toHaveLength(1);
  });

  it("fails with `not-ready` before the bills are due, and never as an empty day", async () => {
    expect((await read({ reply: refusal("STATEMENT_CREATING") })).totals._unsafeUnwrapErr()).toMatchObject({
      name: "wallet.rejected",
      reason: "not-ready",
    });
    const early = { reply: refusal("NO_STATEMENT_EXIST"), now: Date.parse("2026-11-20T09:59:59+08:00") };
    expect((await read(early)).totals._unsafeUnwrapErr()).toMatchObject({ reason: "not-ready" });
  });

  it("reports no empty day if it is unsigned", async () => {
    const { totals } = await read({ reply: { ...refusal("NO_STATEMENT_EXIST"), proof: "none" } });
    expect(totals._unsafeUnwrapErr()).toMatchObject({ name: "wallet.rejected", trusted: false });
  });

  it("is not requested before the day has ended in China", async () => {
    const { totals, calls } = await read({ now: Date.parse("2026-11-19T23:59:59+08:00") });
    expect(totals._unsafeUnwrapErr()).toMatchObject({ name: "wallet.rejected", reason: "not-ready" });
    expect(calls).toEqual([]);
  });

  it("causes no request to a URL that is not a bill's", async () => {
    const { totals, calls } = await read({ answer: { download_url: "https://evil.example/v3/other?x=1" } });
    expect(totals._unsafeUnwrapErr()).toMatchObject({ name: "wallet.unknown", cause: "unverified" });
    expect(calls).toHaveLength(1);
  });

  it("must contain a digest", async () => {
    for (const answer of [{ hash_type: "MD5" }, { hash_value: "short" }, { download_url: "none" }])
      expect((await read({ answer })).totals._unsafeUnwrapErr()).toMatchObject({ cause: "unverified" });
  });
});

it(
  "a bill of fifty thousand lines is read in batches, with one batch in memory",
  { tags: "slow" },
  async () => {
    const count = 50_000;
    const total = yuanText(count * 100);
    const last = `\`${count},\`0.00,\`0.00,\`0.00,\`0.00,\`${total},\`0.00`;
    const text = [HEADER, ...Array.from({ length: count }, () => PAYMENT), TOTALS, last].join("\n");
    const hash_value = createHash("sha1").update(text).digest("hex");
    const file = gzipSync(text);
    const { wallet } = await openWallet((call, response) => {
      const download_url = `https://api.mch.weixin.qq.com${FILE}`;
      if (!call.target.includes("/billdownload/"))
        return { status: 200, body: JSON.stringify({ hash_type: "SHA1", hash_value, download_url }) };
      response.writeHead(200).end(file);
      return undefined;
    });
    const portions: number[] = [];
    const take = (lines: readonly BillEntry[]) => okAsync(void portions.push(lines.length));
    const totals = await expectOk(wallet.readBill(account, DAY, take, { deadline: 60_000 }));
    expect(totals).toMatchObject({ payments: count, paymentAmount: count * 100 });
    expect(Math.max(...portions)).toBe(500);
    expect(portions).toHaveLength(100);
  },
);
