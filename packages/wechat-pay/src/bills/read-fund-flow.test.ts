import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { orThrow } from "@tillkit/core";
import type { FlowEntry } from "@tillkit/core/ports";
import { okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { FLOW, FLOW_HEADER, FLOW_LAST, FLOW_TOTALS, MOVEMENTS } from "../testing/flow-text.js";
import { account } from "../testing/keys.js";
import { openWallet } from "../testing/open-wallet.js";
import { LIMITS } from "../testing/requests.js";
import type { WireReply } from "../testing/wechat-wire.js";

const DAY = "2026-11-19";
const FILE = "/v3/billdownload/file?token=t";

/** Reads a fund-flow bill from a server that returns the correct digest. */
async function read(text: string, reply?: WireReply) {
  const requests: string[] = [];
  const named = {
    hash_type: "SHA1",
    hash_value: createHash("sha1").update(text).digest("hex"),
    download_url: `https://api.mch.weixin.qq.com${FILE}`,
  };
  const { wallet } = await openWallet((call, response) => {
    requests.push(call.target);
    if (!call.target.includes("/billdownload/")) return reply ?? { status: 200, body: JSON.stringify(named) };
    response.writeHead(200).end(gzipSync(text));
    return undefined;
  });
  const lines: FlowEntry[] = [];
  const take = (some: readonly FlowEntry[]) => okAsync(void lines.push(...some));
  return { totals: await wallet.readFundFlow(account, DAY, take, LIMITS), lines, requests };
}

async function problemOf(lines: readonly string[]): Promise<string> {
  const failure = (await read(lines.join("\n"))).totals._unsafeUnwrapErr();
  expect(failure).toMatchObject({ name: "wallet.unknown", cause: "unverified" });
  return failure.detail;
}

const at = (time: string) => Date.parse(`2026-11-19T${time}+08:00`);
const payment = { settlementNo: "4200000001202611190000000001", merchantNo: "01JCXW9Z3K7Q2N5T8V0B4D6F1H" };
const refund = {
  settlementNo: "50300000012026111900000000001",
  merchantNo: "01JCXW9Z3K7Q2N5T8V0B4D6F1H-R-1",
};
const TRUTH: readonly FlowEntry[] = [
  { kind: "payment", amount: 1_000, at: at("10:00:00"), balance: 11_000, ...payment },
  { kind: "fee", amount: -6, at: at("10:00:00"), balance: 10_994, ...payment },
  { kind: "refund", amount: -500, at: at("11:00:00"), balance: 10_494, ...refund },
  { kind: "fee", amount: 3, at: at("11:00:00"), balance: 10_497, ...refund },
  { kind: "other", amount: -5_000, at: at("23:00:00"), balance: 5_497 },
];

describe("a fund-flow bill in its documented format", () => {
  it("is read, with the fee that is returned with a refund as a separate movement", async () => {
    const { lines, totals, requests } = await read(FLOW.join("\r\n"));
    expect(lines).toEqual(TRUTH);
    expect(orThrow(totals)).toEqual({ lines: 5, income: 1_003, expense: 5_506 });
    expect(requests).toEqual([
      "/base/v3/bill/fundflowbill?bill_date=2026-11-19&account_type=BASIC&tar_type=GZIP",
      `/base${FILE}`,
    ]);
  });

  it("is read with brackets of both widths in its header", async () => {
    const rows = [FLOW_HEADER.replaceAll("(", "（").replaceAll(")", "）"), ...FLOW.slice(1)];
    expect((await read(rows.join("\n"))).lines).toEqual(TRUTH);
  });

  it("is read with counts that have a decimal, and without movements", async () => {
    const decimal = [...FLOW.slice(0, -2), "`4.0,`1.0,`10.00,`3.0,`55.03"];
    expect((await read(decimal.join("\n"))).lines).toEqual(TRUTH);
    const { totals } = await read([FLOW_HEADER, FLOW_TOTALS, "`0,`0,`0.00,`0,`0.00"].join("\n"));
    expect(orThrow(totals)).toEqual({ lines: 0, income: 0, expense: 0 });
  });

  it.each([
    ["another remark", "`缺货"],
    ["a remark with other amounts than the movement", "`退款总金额6.00元;含手续费0.03元"],
    ["no remark", "`"],
  ])("keeps the amount of a refund with %s", async (_, remark) => {
    const rows = FLOW.map((row) => row.replace("`退款总金额5.00元;含手续费0.03元", remark));
    const { lines } = await read(rows.join("\n"));
    expect(lines.filter((line) => line.kind === "refund")).toMatchObject([{ amount: -497, balance: 10_497 }]);
    expect(lines).toHaveLength(4);
  });

  it.each([
    ["退款关闭", "收入", "refund", 497],
    ["退还交易手续费", "收入", "fee", 497],
    ["分账", "支出", "other", -497],
  ])("reads the type %s", async (type, way, kind, amount) => {
    const rows = FLOW.map((row) =>
      row.replace("`退款,`支出,`4.97", `\`${type},\`${way},\`4.97`).replace("退款总金额", ""),
    );
    const last = way === "收入" ? "`4,`2,`14.97,`2,`50.06" : FLOW_LAST;
    const { lines } = await read([...rows.slice(0, -2), last].join("\n"));
    expect(lines[2]).toMatchObject({ kind, amount });
  });

  it("is read with commas and backticks in a remark if there is one way to split the line", async () => {
    const rows = FLOW.map((row) => row.replace("`缺货", "").replace(";含手续费0.03元", ",`含,`手续费"));
    const { lines } = await read(rows.join("\n"));
    expect(lines[2]).toMatchObject({ kind: "refund", amount: -497, ...refund });
  });
});

describe("an inconsistent fund-flow bill", () => {
  it("is rejected if it does not match its own totals", async () => {
    const closedBy = (last: string) => problemOf([FLOW_HEADER, ...MOVEMENTS, FLOW_TOTALS, last]);
    for (const last of [
      "`5,`2,`10.00,`3,`55.03",
      "`4,`2,`10.00,`2,`55.03",
      "`3,`1,`10.00,`2,`55.03",
      "`x,`1,`10.00,`3,`55.03",
    ])
      expect(await closedBy(last)).toContain("its totals state another number");
    for (const last of ["`4,`1,`10.01,`3,`55.03", "`4,`1,`10.00,`3,`55.02"])
      expect(await closedBy(last)).toContain("do not add up");
    expect(await problemOf([FLOW_HEADER, ...MOVEMENTS])).toContain("ends early");
    expect(await problemOf([FLOW_HEADER.replace("账户结余", "结余"), ...MOVEMENTS])).toContain("is missing");
  });

  it("is rejected if it is that of another day", async () => {
    const rows = MOVEMENTS.map((row) => row.replace("2026-11-19", "2026-11-18"));
    expect(await problemOf([FLOW_HEADER, ...rows, FLOW_TOTALS, FLOW_LAST])).toContain(
      "it is the bill of another day",
    );
  });

  it.each([
    ["too few fields", (row: string) => row.slice(0, 120)],
    ["an invalid amount", (row: string) => row.replace("`10.00,`110", "`ten,`110")],
    ["no time", (row: string) => row.replace("`2026-11-19 10:00:00", "`today")],
    ["neither way", (row: string) => row.replace("`收入", "`转入")],
    ["no beginning", (row: string) => row.slice(1)],
  ])("passes an unreadable movement as unreadable: %s", async (_, injectFault) => {
    const [first = "", ...rest] = MOVEMENTS;
    const { lines, totals } = await read(
      [FLOW_HEADER, injectFault(first), ...rest, FLOW_TOTALS, FLOW_LAST].join("\n"),
    );
    expect(lines[0]).toMatchObject({ kind: "unreadable", at: 2 });
    expect(JSON.stringify(lines[0])).not.toMatch(/结算|system/);
    expect(lines.slice(1)).toEqual(TRUTH.slice(1));
    expect(orThrow(totals)).toEqual({ lines: 4, income: 3, expense: 5_506, unreadable: 1 });
  });
});

it("reading a fund-flow bill fails with a trusted refusal if the merchant does not have the permission", async () => {
  const reply = { status: 403, body: JSON.stringify({ code: "NO_AUTH", message: "无权限" }) };
  const { totals } = await read("", reply);
  expect(totals._unsafeUnwrapErr()).toMatchObject({
    name: "wallet.rejected",
    reason: "configuration",
    trusted: true,
  });
});
