import { createHash } from "node:crypto";
import { gunzipSync, inflateRawSync } from "node:zlib";
import { expectFailure, expectOk } from "@tillkit/contract-tests";
import { AlipaySdk } from "alipay-sdk";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import plugin from "wechatpay-axios-plugin";
import { z } from "zod";
import { faultyWallet, type BillFault } from "./faults.js";
import type { Sandbox } from "./index.js";
import { openBilledDay, PAID_ON } from "./testing/billed-day.js";
import { walletASender } from "./testing/wechat-pay-client.js";

const CHANNELS = ["WALLET_A", "WALLET_B"] as const;

const unverified = { name: "wallet.unknown", cause: "unverified" };
const WRONG: readonly (readonly [BillFault, object, RegExp])[] = [
  ["not-ready", { name: "wallet.rejected", reason: "not-ready" }, /./],
  ["html", unverified, /not a complete gzip file|not a zip file/],
  ["cut", { name: "wallet.unknown", cause: "network" }, /./],
  ["oversized", unverified, /longer than 1048576 bytes/],
  ["bad-digest", unverified, /does not have the digest|damaged/],
  ["tampered-amount", unverified, /do not add up/],
  ["tampered-drop", unverified, /has \d (lines|of them)|of them/],
  ["tampered-add", unverified, /has \d (lines|of them)|of them/],
];

describe.each(CHANNELS)("a faulty bill of %s", (payChannel) => {
  const wallet = faultyWallet(payChannel);

  it.each(WRONG)("fails to be read: %s", async (fault, failure, words) => {
    const fixture = await openBilledDay(payChannel);
    await fixture.fault({ [wallet]: { billFile: { fault, times: 1 } } });
    const found = await expectFailure(fixture.readBill().totals);
    expect(found).toMatchObject(failure);
    expect(found.detail).toMatch(words);
    // The failed read leaves nothing: the bill is generated again.
    expect(await expectOk(fixture.readBill().totals)).toMatchObject({ payments: 2, refunds: 1 });
  });

  it("fails to be read after its URL has expired", async () => {
    const fixture = await openBilledDay(payChannel);
    await fixture.fault({ [wallet]: { billFile: "expired" } });
    expect((await expectFailure(fixture.readBill().totals)).name).toMatch(/^wallet\./);
  });

  it("is accepted if the wallet itself is wrong: only a comparison with the stored orders shows the error", async () => {
    const fixture = await openBilledDay(payChannel);
    // WALLET_A returns a part of its fee with a refund, WALLET_B does not.
    const fees = payChannel === "WALLET_A" ? 4 : 5;
    const sums = { payments: 2, paymentAmount: 801, refunds: 1, refundAmount: 100, fees };
    await fixture.fault({ [wallet]: { billFile: { fault: "wrong-amount", times: 1 } } });
    expect(await expectOk(fixture.readBill().totals)).toEqual({ ...sums, paymentAmount: 901 });
    await fixture.fault({ [wallet]: { billFile: { fault: "missing-line", times: 1 } } });
    expect(await expectOk(fixture.readBill().totals)).toMatchObject({ payments: 1, paymentAmount: 200 });
    await fixture.fault({ [wallet]: { billFile: { fault: "extra-line", times: 1 } } });
    const { lines, totals } = fixture.readBill();
    expect(await expectOk(totals)).toMatchObject({ payments: 3, paymentAmount: 1402 });
    expect(lines.at(-1)?.outTradeNo).toMatch(/^01K\d{8}0000000000EXTRA$/);
    expect(await expectOk(fixture.readBill().totals)).toEqual(sums);
  });

  it("skips an unreadable line, and returns its order number", async () => {
    const fixture = await openBilledDay(payChannel);
    await fixture.fault({ [wallet]: { billFile: "unreadable-line" } });
    const { lines, totals } = fixture.readBill();
    expect(await expectOk(totals)).toMatchObject({
      payments: 1,
      paymentAmount: 200,
      refunds: 1,
      unreadable: { lines: 1, paymentAmount: 601, refundAmount: 0 },
    });
    expect(lines[0]).toMatchObject({ kind: "unreadable", outTradeNo: "01JCXW9Z3K7Q2N5T8V0B4D6F1H" });
  });

  it.each([
    "unsigned",
    "bad-signature",
    "retired-key",
    "html",
    "redirect",
    "500-after",
    "truncated",
  ] as const)(
    "fails with wallet.unknown if the response with its URL is not the wallet's: %s",
    async (bill) => {
      const fixture = await openBilledDay(payChannel);
      await fixture.fault({ [wallet]: { bill } });
      const { lines, totals } = fixture.readBill();
      expect(await expectFailure(totals)).toMatchObject({ name: "wallet.unknown" });
      expect(lines).toEqual([]);
    },
  );
});

describe("the bill of WALLET_A", () => {
  it("can be downloaded with a third party's SDK, and has the signed digest", async () => {
    const { sandbox } = await openBilledDay("WALLET_A");
    const { mchid, merchantSerialNo, merchantPrivateKey } = sandbox.merchant.walletA;
    // The SDK takes the time of its requests from the machine's clock.
    vi.useFakeTimers({ toFake: ["Date"], now: sandbox.clock.now() });
    onTestFinished(() => void vi.useRealTimers());
    const client = new plugin.Wechatpay({
      mchid,
      serial: merchantSerialNo,
      privateKey: merchantPrivateKey,
      certs: sandbox.keys.walletA.walletPublicKeys,
      baseURL: sandbox.addresses.walletA,
    });
    const params = { bill_date: PAID_ON, bill_type: "ALL", tar_type: "GZIP" };
    const result = await client.chain("v3/bill/tradebill").get({ params });
    const { hash_value, download_url } = z
      .object({ hash_value: z.string(), download_url: z.url() })
      .parse(result.data);
    const token = new URL(download_url).searchParams.get("token");
    const fetched = await client
      .chain("v3/billdownload/file")
      .get({ params: { token }, responseType: "arraybuffer" });
    const text = gunzipSync(z.instanceof(Buffer).parse(fetched.data));
    expect(createHash("sha1").update(text).digest("hex")).toBe(hash_value);
    const rows = text.toString("utf8").split("\r\n");
    expect(rows[0]?.startsWith("\uFEFF交易时间,公众账号ID,商户号,")).toBe(true);
    expect(rows[1]).toMatch(
      /^`\d{4}-\d\d-\d\d 12:00:00,`wxd678efh567hg6787,`1900000109,`0,`,`\d{28},`01JCXW9Z3K7Q2N5T8V0B4D6F1H,/,
    );
    expect(rows[1]).toMatch(/,`会员, 30 天,`,`0.04000,`0.60%,`6.01,`0.00,`$/);
    expect(rows.slice(-3)).toEqual([
      "总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额",
      "`3,`8.01,`1.00,`0.00,`0.04000,`8.01,`1.00",
      "",
    ]);
  });

  it("returns its file only to the merchant with a valid signature, within five minutes", async () => {
    const { sandbox } = await openBilledDay("WALLET_A");
    const send = walletASender(sandbox.addresses.walletA, sandbox.merchant.walletA, () =>
      sandbox.clock.now(),
    );
    const result = await send({
      method: "GET",
      target: `/v3/bill/tradebill?bill_date=${PAID_ON}&tar_type=GZIP`,
    });
    const { download_url: address } = z.object({ download_url: z.url() }).parse(JSON.parse(result.text));
    const target = address.slice(sandbox.addresses.walletA.length);
    expect((await send({ method: "GET", target })).status).toBe(200);
    expect((await send({ method: "GET", target }, { scheme: "BASIC" })).status).toBe(401);
    expect((await fetch(address)).status).toBe(401);
    sandbox.clock.advance(5 * 60_000 + 1);
    expect((await send({ method: "GET", target })).status).toBe(400);
  });
});

describe("the bill of WALLET_B", () => {
  const named = async (sandbox: Sandbox, day: string) => {
    const { appId, appPrivateKey, walletPublicKey } = sandbox.merchant.walletB;
    // The SDK takes the time of its requests from the machine's clock.
    vi.useFakeTimers({ toFake: ["Date"], now: sandbox.clock.now() });
    onTestFinished(() => void vi.useRealTimers());
    const sdk = new AlipaySdk({
      appId,
      privateKey: appPrivateKey,
      keyType: "PKCS8",
      alipayPublicKey: walletPublicKey,
      gateway: sandbox.addresses.walletB,
    });
    const bizContent = { bill_type: "trade", bill_date: day, secure: "true" };
    const answer: unknown = await sdk.exec(
      "alipay.data.dataservice.bill.downloadurl.query",
      { bizContent },
      { validateSign: true },
    );
    return z.looseObject({ code: z.string(), billDownloadUrl: z.url().optional() }).parse(answer);
  };

  it("can be downloaded with the wallet's own SDK, with the expected contents", async () => {
    const { sandbox } = await openBilledDay("WALLET_B");
    const { billDownloadUrl = "" } = await named(sandbox, PAID_ON);
    const files = filesIn(Buffer.from(await (await fetch(billDownloadUrl)).arrayBuffer()));
    expect(files.map(({ name }) => name)).toEqual([
      `20881021196858380156_20261120_业务明细.csv`,
      `20881021196858380156_20261120_业务明细(汇总).csv`,
    ]);
    const rows = files[0]?.text.split("\r\n") ?? [];
    expect(rows[0]).toBe("#支付宝业务明细查询");
    expect(rows[4]?.startsWith("支付宝交易号,商户订单号,业务类型,商品名称,")).toBe(true);
    expect(rows[5]).toMatch(/^\d{28}\t,01JCXW9Z3K7Q2N5T8V0B4D6F1H\t,交易\t,会员, 30 天,\d{4}-/);
    expect(rows[7]).toMatch(/,退款\t,.*,-1\.00,-1\.00,.*,R-1,0\.00,0\.00,会员, 30 天$/);
    expect(rows.slice(9, 11)).toEqual([
      "#交易合计：2笔，商家实收共8.01元，商家优惠共0.00元",
      "#退款合计：1笔，商家实收退款共-1.00元，商家优惠退款共0.00元",
    ]);
    expect(files[1]?.text).toContain("合计\t,\t,2,1,7.01,7.01,");
  });

  it("is available from nine o'clock on, for half a minute per URL", async () => {
    const { sandbox } = await openBilledDay("WALLET_B");
    const { billDownloadUrl = "" } = await named(sandbox, PAID_ON);
    expect((await fetch(billDownloadUrl)).status).toBe(200);
    sandbox.clock.advance(30_001);
    expect((await fetch(billDownloadUrl)).status).toBe(403);
    expect(await named(sandbox, "2026-11-21")).toMatchObject({
      code: "40004",
      subCode: "isp.bill_not_exist",
    });
  });
});

/** Reads the files of an archive by its local headers, independently of the code that wrote it. */
function filesIn(archive: Buffer): readonly { readonly name: string; readonly text: string }[] {
  const gbk = new TextDecoder("gbk");
  const files: { name: string; text: string }[] = [];
  for (let at = 0; archive.readUInt32LE(at) === 0x04034b50;) {
    const [packed, nameLength] = [archive.readUInt32LE(at + 18), archive.readUInt16LE(at + 26)];
    const start = at + 30 + nameLength + archive.readUInt16LE(at + 28);
    const bytes = inflateRawSync(archive.subarray(start, start + packed));
    expect(bytes.length).toBe(archive.readUInt32LE(at + 22));
    files.push({
      name: gbk.decode(archive.subarray(at + 30, at + 30 + nameLength)),
      text: gbk.decode(bytes),
    });
    at = start + packed;
  }
  return files;
}
