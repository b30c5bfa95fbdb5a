import { createHash } from "node:crypto";
import { gunzipSync, inflateRawSync } from "node:zlib";
import { expectFailure, expectOk } from "@tillkit/contract-tests";
import type { FlowEntry } from "@tillkit/core/ports";
import { AlipaySdk } from "alipay-sdk";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import plugin from "wechatpay-axios-plugin";
import { z } from "zod";
import { faultyWallet, type BillFault } from "./faults.js";
import { openBilledDay, type BilledDay, PAID_ON } from "./testing/billed-day.js";
import { walletASender } from "./testing/wechat-pay-client.js";

const CHANNELS = ["WALLET_A", "WALLET_B"] as const;
const unverified = { name: "wallet.unknown", cause: "unverified" };
const WRONG: readonly (readonly [BillFault, object])[] = [
  ["not-ready", { name: "wallet.rejected", reason: "not-ready" }],
  ["html", unverified],
  ["cut", { name: "wallet.unknown", cause: "network" }],
  ["oversized", unverified],
  ["bad-digest", unverified],
  ["tampered-amount", unverified],
  ["tampered-drop", unverified],
  ["tampered-add", unverified],
];

const amounts = (lines: readonly FlowEntry[], kind: FlowEntry["kind"]) =>
  lines.flatMap((line) => (line.kind !== "unreadable" && line.kind === kind ? [line.amount] : []));

describe.each(CHANNELS)("a fund-flow bill of %s", (payChannel) => {
  const wallet = faultyWallet(payChannel);
  const setFault = (fixture: BilledDay, flowFile: BillFault) => fixture.fault({ [wallet]: { flowFile } });

  it("lists payments, fees and refunds, despite a faulty trade bill", async () => {
    const fixture = await openBilledDay(payChannel);
    await fixture.fault({ [wallet]: { billFile: "not-ready" } });
    const { lines, totals } = fixture.readFundFlow();
    await expectOk(totals);
    expect(amounts(lines, "payment")).toEqual([601, 200]);
    expect(amounts(lines, "refund")).toEqual([-100]);
    // WALLET_A returns a part of its fee with a refund.
    expect(amounts(lines, "fee")).toEqual(payChannel === "WALLET_A" ? [-4, -1, 1] : [-4, -1]);
  });

  it.each(WRONG)("fails to be read: %s", async (fault, failure) => {
    const fixture = await openBilledDay(payChannel);
    await setFault(fixture, fault);
    expect(await expectFailure(fixture.readFundFlow().totals)).toMatchObject(failure);
    expect(await expectOk(fixture.readBill().totals)).toMatchObject({ payments: 2 });
  });

  it("cannot be read by a merchant without permission, who can read the trade bill", async () => {
    const fixture = await openBilledDay(payChannel);
    await setFault(fixture, "no-permission");
    expect(await expectFailure(fixture.readFundFlow().totals)).toMatchObject({
      name: "wallet.rejected",
      trusted: true,
    });
    expect(await expectOk(fixture.readBill().totals)).toMatchObject({ payments: 2 });
  });

  it("is accepted if the wallet itself is wrong: only a comparison with the trade bill shows the error", async () => {
    const fixture = await openBilledDay(payChannel);
    const read = async (fault: BillFault) => {
      await setFault(fixture, fault);
      const { lines, totals } = fixture.readFundFlow();
      return { lines, totals: await expectOk(totals) };
    };
    expect(amounts((await read("wrong-amount")).lines, "payment")).toEqual([701, 200]);
    expect(amounts((await read("wrong-fee")).lines, "fee").slice(0, 2)).toEqual([-5, -1]);
    expect(amounts((await read("missing-line")).lines, "payment")).toEqual([200]);
    expect(amounts((await read("extra-line")).lines, "payment")).toEqual([601, 200, 601]);
    const balances = (await read("wrong-balance")).lines.map((line) =>
      line.kind === "unreadable" ? undefined : line.balance,
    );
    expect(balances.at(-1)).not.toBe(balances.at(-2));
  });

  it("skips an unreadable movement", async () => {
    const fixture = await openBilledDay(payChannel);
    await setFault(fixture, "unreadable-line");
    const { lines, totals } = fixture.readFundFlow();
    expect(await expectOk(totals)).toMatchObject({ unreadable: 1 });
    expect(amounts(lines, "payment")).toEqual([200]);
  });
});

describe("the wallets' own SDKs and those of third parties", () => {
  it("fetch the fund-flow bill of WALLET_A", async () => {
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
    const params = { bill_date: PAID_ON, account_type: "BASIC", tar_type: "GZIP" };
    const result = await client.chain("v3/bill/fundflowbill").get({ params });
    const named = z.object({ hash_value: z.string(), download_url: z.url() }).parse(result.data);
    const token = new URL(named.download_url).searchParams.get("token");
    const fetched = await client
      .chain("v3/billdownload/file")
      .get({ params: { token }, responseType: "arraybuffer" });
    const text = gunzipSync(z.instanceof(Buffer).parse(fetched.data));
    expect(createHash("sha1").update(text).digest("hex")).toBe(named.hash_value);
    expect(text.toString("utf8")).toContain("`交易,`扣除交易手续费,`支出,`0.04");
  });

  it("fetch the fund-flow bill of WALLET_B", async () => {
    const { sandbox } = await openBilledDay("WALLET_B");
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
    const ask = async (bill_type: string) => {
      const bizContent = { bill_type, bill_date: PAID_ON, secure: "true" };
      const method = "alipay.data.dataservice.bill.downloadurl.query";
      const answer: unknown = await sdk.exec(method, { bizContent }, { validateSign: true });
      const form = { code: z.string(), subCode: z.string().optional(), billDownloadUrl: z.url().optional() };
      return z.looseObject(form).parse(answer);
    };
    const { billDownloadUrl = "" } = await ask("signcustomer");
    expect(billDownloadUrl).toContain("bizType=fnd");
    const archive = Buffer.from(await (await fetch(billDownloadUrl)).arrayBuffer());
    const [packed, named] = [archive.readUInt32LE(18), archive.readUInt16LE(26)];
    const start = 30 + named + archive.readUInt16LE(28);
    const text = new TextDecoder("gbk").decode(inflateRawSync(archive.subarray(start, start + packed)));
    expect(text.split("\r\n")[0]).toBe("#支付宝账务明细查询");
    expect(text).toContain("#收入合计：2笔，共8.01元");
    expect(text).toMatch(/,0\.00,-0\.04,5\.97,支付宝\t,收费\t,服务费/);
    // A documented type without business never has a bill. Another type is invalid.
    expect(await ask("merchant_act")).toMatchObject({ code: "40004", subCode: "isp.bill_not_exist" });
    expect(await ask("none")).toMatchObject({ code: "40004", subCode: "ACQ.INVALID_PARAMETER" });
  });
});

describe("the bills of WALLET_A", () => {
  const open = async () => {
    const { sandbox } = await openBilledDay("WALLET_A");
    const now = () => sandbox.clock.now();
    const send = walletASender(sandbox.addresses.walletA, sandbox.merchant.walletA, now);
    const ask = (target: string) => send({ method: "GET", target });
    const textOf = async (target: string) => {
      const result = await ask(target);
      const named = z
        .object({ hash_value: z.string(), download_url: z.url() })
        .parse(JSON.parse(result.text));
      const file = await ask(named.download_url.slice(sandbox.addresses.walletA.length));
      // Decoding the response as text removes the byte order mark.
      const text = `\uFEFF${file.text}`;
      expect(createHash("sha1").update(text).digest("hex")).toBe(named.hash_value);
      return file.text.split("\r\n");
    };
    return { ask, textOf };
  };

  it("are uncompressed without tar_type", async () => {
    const { textOf } = await open();
    const rows = await textOf(`/v3/bill/fundflowbill?bill_date=${PAID_ON}`);
    expect(rows[0]?.startsWith("记账时间,微信支付业务单号,资金流水单号,业务名称,")).toBe(true);
    expect(rows[1]).toMatch(/,`交易,`交易,`收入,`6.01,`6.01,`system,`,`01JCXW9Z3K7Q2N5T8V0B4D6F1H$/);
    expect(rows[2]).toMatch(/,`交易,`扣除交易手续费,`支出,`0.04,`5.97,/);
    expect(rows[5]).toMatch(
      /,`退款,`退款,`支出,`0.99,`6.97,`1900000109API,`退款总金额1.00元;含手续费0.01元,`R-1$/,
    );
    expect(rows.slice(-3)).toEqual([
      "资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额",
      "`5,`2,`8.01,`3,`1.04",
      "",
    ]);
  });

  it("contain only payments or refunds if bill_type selects them", async () => {
    const { ask, textOf } = await open();
    const success = await textOf(`/v3/bill/tradebill?bill_date=${PAID_ON}&bill_type=SUCCESS`);
    expect(success[0]).not.toContain("退款");
    expect(success.slice(-3)).toEqual([
      "总交易单数,应结订单总金额,手续费总金额,订单总金额",
      "`2,`8.01,`0.05000,`8.01",
      "",
    ]);
    const refund = await textOf(`/v3/bill/tradebill?bill_date=${PAID_ON}&bill_type=REFUND`);
    expect(refund[0]).toContain(",退款申请时间,退款成功时间,微信退款单号,");
    expect(refund.at(-2)).toBe("`1,`0.00,`1.00,`0.00,`-0.01000,`0.00,`1.00");
    expect((await ask(`/v3/bill/tradebill?bill_date=${PAID_ON}&bill_type=NONE`)).status).toBe(400);
  });

  it("are empty for accounts that receive no payments", async () => {
    const { ask } = await open();
    for (const account of ["OPERATION", "FEES"]) {
      const result = await ask(`/v3/bill/fundflowbill?bill_date=${PAID_ON}&account_type=${account}`);
      expect([result.status, JSON.parse(result.text)]).toMatchObject([400, { code: "NO_STATEMENT_EXIST" }]);
    }
    for (const query of ["account_type=NONE", "tar_type=ZIP"])
      expect((await ask(`/v3/bill/fundflowbill?bill_date=${PAID_ON}&${query}`)).status).toBe(400);
  });
});
