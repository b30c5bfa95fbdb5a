import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { expectOk } from "@tillkit/contract-tests";
import { type BillLine, yuanText } from "@tillkit/core";
import { systemRandom } from "@tillkit/runtime";
import { okAsync } from "neverthrow";
import { describe, expect, it, onTestFinished } from "vitest";
import { BILL, HEADER, PAYMENT, REFUND, TOTALS } from "../testing/bill-text.js";
import { account, NOW } from "../testing/keys.js";
import { openWallet } from "../testing/open-wallet.js";
import { LIMITS } from "../testing/requests.js";
import { openWire, type WireCall, type WirePart, type WireReply } from "../testing/wechat-wire.js";
import { wechatPayWallet } from "../wechat-pay-wallet.js";

const DAY = "2026-11-19";
const FILE = "/v3/billdownload/file?token=6XIv5TUPto7pByrTQKhd6kwvyKLG2uY2wMMR8cNXqaA";

interface Served {
  readonly text?: string;
  readonly answer?: Readonly<Record<string, unknown>>;
  readonly reply?: WireReply;
  readonly file?: Uint8Array;
  readonly maxBillBytes?: number;
  /** The time on both sides. */
  readonly now?: number;
}

/** Reads a bill at a wallet that answers with its right digest, unless told otherwise. */
async function read(served: Served = {}) {
  const { text = BILL.join("\r\n"), answer, reply, file = gzipSync(text), now = NOW } = served;
  const calls: WireCall[] = [];
  const named = {
    hash_type: "SHA1",
    hash_value: createHash("sha1").update(text).digest("hex"),
    download_url: `https://api.mch.weixin.qq.com${FILE}`,
    ...answer,
  };
  const part: WirePart = (call, response) => {
    calls.push(call);
    if (!call.target.includes("/billdownload/")) return reply ?? { status: 200, body: JSON.stringify(named) };
    response.writeHead(200, { "content-type": "application/octet-stream" }).end(file);
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
  const totals = await wallet.readBill(account, DAY, (some) => okAsync(void lines.push(...some)), LIMITS);
  expect(wire.refused).toEqual([]);
  return { lines, totals, calls };
}

/** What is wrong with a bill of these lines. */
async function problemOf(lines: readonly string[]): Promise<string> {
  const failure = (await read({ text: lines.join("\n") })).totals._unsafeUnwrapErr();
  expect(failure).toMatchObject({ name: "wallet.unknown", cause: "unverified" });
  return failure.detail;
}

describe("a bill as its document has it", () => {
  it("is read: what orders were made for and what refunds were applied for", async () => {
    const { lines, totals, calls } = await read();
    const trade = { outTradeNo: "01JCXW9Z3K7Q2N5T8V0B4D6F1H", walletTradeNo: "4200000001202611190000000001" };
    expect(lines).toEqual([
      { ...trade, kind: "payment", amount: 100, state: "DONE" },
      { ...trade, kind: "refund", refundNo: "R-1", amount: 50, state: "DONE" },
    ]);
    expect(totals._unsafeUnwrap()).toEqual({ payments: 1, paymentAmount: 100, refunds: 1, refundAmount: 50 });
    expect(calls.map(({ method, target }) => [method, target])).toEqual([
      ["GET", "/base/v3/bill/tradebill?bill_date=2026-11-19&bill_type=ALL&tar_type=GZIP"],
      // Signed, and at the account's gateway, whatever host the answer names.
      ["GET", `/base${FILE}`],
    ]);
  });

  it("is read wherever its columns stand", async () => {
    const turned = (line: string, by: string) => line.split(by).reverse().join(by);
    const rows = [PAYMENT, REFUND].map((row) => `\`${turned(row.slice(1), ",`")}`);
    const { lines } = await read({ text: [turned(HEADER, ","), ...rows, ...BILL.slice(3)].join("\n") });
    expect(lines.map(({ amount }) => amount)).toEqual([100, 50]);
  });

  it("leaves open a refund that is not done, and one that failed", async () => {
    for (const state of ["PROCESSING", "FAIL", ""]) {
      const text = BILL.join("\n").replace("`ORIGINAL,`SUCCESS", `\`ORIGINAL,\`${state}`);
      expect((await read({ text })).lines[1]).toMatchObject({ kind: "refund", state: "OPEN" });
    }
  });

  it("takes a payment that was revoked for money that went back, without a number", async () => {
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

  it("is empty when it has no lines", async () => {
    const text = [HEADER, TOTALS, "`0,`0.00,`0.00,`0.00,`0.00000,`0.00,`0.00"].join("\n");
    expect((await read({ text })).totals._unsafeUnwrap()).toMatchObject({ payments: 0, refunds: 0 });
  });
});

describe("a bill that proves itself wrong", () => {
  it.each([
    ["a column that is missing", HEADER.replace(",订单金额,", ",总金额,"), "the column 订单金额 is missing"],
    ["a column that is there twice", `${HEADER},商户号`, "the column 商户号 is there twice"],
    ["a page", "<html></html>", "is missing"],
  ])("has %s", async (_what, header, words) => {
    expect(await problemOf([header, ...BILL.slice(1)])).toContain(words);
  });

  it.each([
    ["fields too few", PAYMENT.slice(0, -2), "line 2: it has 26 fields instead of 27"],
    ["an amount that is none", PAYMENT.replace("`1.00,", "`1,00,"), "line 2: it has an amount that is none"],
    ["a fraction of a cent", PAYMENT.replace("`1.00,", "`1.001,"), "line 2: it has an amount that is none"],
    ["another merchant", PAYMENT.replace("1900000109", "1900000110"), "line 2: it is another merchant's"],
    ["another currency", PAYMENT.replace("`CNY", "`HKD"), "line 2: it is not in CNY"],
    [
      "a state that is not known",
      PAYMENT.replace("`SUCCESS", "`USERPAYING"),
      "line 2: its state is not known",
    ],
    ["no number", PAYMENT.replace("01JCXW9Z3K7Q2N5T8V0B4D6F1H", ""), "line 2: it lacks a number"],
    ["no money", PAYMENT.replace("`1.00,", "`0.00,"), "line 2: it moves no money"],
    ["a line without end", "`".padEnd(20_000, "x"), "line 2: it is too long"],
  ])("has a line with %s", async (_what, line, words) => {
    expect(await problemOf([HEADER, line, ...BILL.slice(2)])).toContain(words);
  });

  it("does not add up", async () => {
    const last = "`2,`0.90,`0.45,`0.00,`0.00270,`1.00,`0.50";
    const closedBy = (totals: string) => problemOf([HEADER, PAYMENT, REFUND, TOTALS, totals]);
    expect(await closedBy(last.replace("`2,", "`3,"))).toContain("the bill has 2 lines");
    expect(await closedBy(last.replace("`1.00,", "`1.01,"))).toContain("do not add up");
    expect(await closedBy(last.replace("`0.50", "`0.49"))).toContain("do not add up");
    expect(await problemOf([HEADER, PAYMENT, REFUND, TOTALS, last, PAYMENT])).toContain(
      "stands after the end",
    );
  });

  it("breaks off", async () => {
    for (const lines of [[], [HEADER], [HEADER, PAYMENT], [HEADER, PAYMENT, TOTALS]])
      expect(await problemOf(lines)).toContain("breaks off");
  });

  it("has another digest than was signed", async () => {
    const { totals, lines } = await read({ answer: { hash_value: "0".repeat(40) } });
    expect(totals._unsafeUnwrapErr()).toMatchObject({ cause: "unverified" });
    expect(totals._unsafeUnwrapErr()).toHaveProperty("detail", expect.stringContaining("another digest"));
    // They were handed over before that was known: nothing may be concluded from them.
    expect(lines).toHaveLength(2);
  });

  it("is no gzip file, not a whole one, or too long", async () => {
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

describe("the answer that names a bill", () => {
  const refusal = (code: string): WireReply => ({
    status: 400,
    body: JSON.stringify({ code, message: "x" }),
  });

  it.each(["NO_STATEMENT_EXIST", "NOSTATEMENTEXIST"])("is an empty day: %s", async (code) => {
    const { totals, calls } = await read({ reply: refusal(code) });
    expect(totals._unsafeUnwrap()).toEqual({ payments: 0, paymentAmount: 0, refunds: 0, refundAmount: 0 });
    expect(calls).toHaveLength(1);
  });

  it("is not ready while bills are being made, and then nothing is taken for an empty day", async () => {
    expect((await read({ reply: refusal("STATEMENT_CREATING") })).totals._unsafeUnwrapErr()).toMatchObject({
      name: "wallet.rejected",
      reason: "not-ready",
    });
    const early = { reply: refusal("NO_STATEMENT_EXIST"), now: Date.parse("2026-11-20T09:59:59+08:00") };
    expect((await read(early)).totals._unsafeUnwrapErr()).toMatchObject({ reason: "not-ready" });
  });

  it("is no empty day when nobody signed that there is nothing", async () => {
    const { totals } = await read({ reply: { ...refusal("NO_STATEMENT_EXIST"), proof: "none" } });
    expect(totals._unsafeUnwrapErr()).toMatchObject({ name: "wallet.rejected", proven: false });
  });

  it("is not asked for while the day is not over in China", async () => {
    const { totals, calls } = await read({ now: Date.parse("2026-11-19T23:59:59+08:00") });
    expect(totals._unsafeUnwrapErr()).toMatchObject({ name: "wallet.rejected", reason: "not-ready" });
    expect(calls).toEqual([]);
  });

  it("sends nothing to an address that is no bill's", async () => {
    const { totals, calls } = await read({ answer: { download_url: "https://evil.example/v3/other?x=1" } });
    expect(totals._unsafeUnwrapErr()).toMatchObject({ name: "wallet.unknown", cause: "unverified" });
    expect(calls).toHaveLength(1);
  });

  it("must name a digest", async () => {
    for (const answer of [{ hash_type: "MD5" }, { hash_value: "short" }, { download_url: "none" }])
      expect((await read({ answer })).totals._unsafeUnwrapErr()).toMatchObject({ cause: "unverified" });
  });
});

it("reads fifty thousand lines in portions, and holds one of them", async () => {
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
  const take = (lines: readonly BillLine[]) => okAsync(void portions.push(lines.length));
  const totals = await expectOk(wallet.readBill(account, DAY, take, { deadline: 60_000 }));
  expect(totals).toMatchObject({ payments: count, paymentAmount: count * 100 });
  expect(Math.max(...portions)).toBe(500);
  expect(portions).toHaveLength(100);
});
