import { orThrow } from "@tillkit/core";
import type { FlowEntry } from "@tillkit/core/ports";
import { okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { archiveOf } from "../testing/bill-files.js";
import { DAY, serveBill, type ServedBill } from "../testing/bill-server.js";
import { FLOW_CLOSING, FLOW_COLUMNS, flowDetail, flowSummary, MOVEMENTS } from "../testing/flow-files.js";

interface Served extends ServedBill {
  readonly files?: readonly Uint8Array[];
}

async function read({ files = [flowDetail(), flowSummary()], ...served }: Served = {}) {
  const { adapter, account, requests } = await serveBill({ archive: archiveOf(files), ...served });
  const lines: FlowEntry[] = [];
  const take = (some: readonly FlowEntry[]) => okAsync(void lines.push(...some));
  const totals = await adapter.readFundFlow(account, DAY, take, { deadline: 30_000 });
  return { lines, totals, requests };
}

async function problemOf(files: readonly Uint8Array[]): Promise<string> {
  const failure = (await read({ files })).totals._unsafeUnwrapErr();
  expect(failure).toMatchObject({ name: "wallet.unknown", cause: "unverified" });
  return failure.detail;
}

const at = (time: string) => Date.parse(`2026-11-19T${time}+08:00`);
const order = { settlementNo: "01JCXW9Z3K7Q2N5T8V0B4D6F1H", merchantNo: "01JCXW9Z3K7Q2N5T8V0B4D6F1H" };
const TRUTH: readonly FlowEntry[] = [
  { kind: "payment", amount: 90, at: at("10:55:23"), balance: 10_090, ...order },
  { kind: "fee", amount: -1, at: at("10:55:23"), balance: 10_089, ...order },
  { kind: "refund", amount: -45, at: at("10:56:48"), balance: 10_044, ...order },
  { kind: "other", amount: -5_000, at: at("23:00:00"), balance: 5_044 },
];

describe("a fund-flow bill in the format that merchants receive", () => {
  it("is read with commas in names and remarks", async () => {
    const { lines, totals, requests } = await read();
    expect(lines).toEqual(TRUTH);
    expect(orThrow(totals)).toEqual({ lines: 4, income: 90, expense: 5_046 });
    expect(requests).toEqual([
      "/gateway.do",
      '{"bill_type":"signcustomer","bill_date":"2026-11-19","secure":"true"}',
      "/bill.zip",
    ]);
  });

  it("is read for any order of its files, without the file of totals, and with positive expenses", async () => {
    const positive = MOVEMENTS.map((line) => line.replaceAll(",-", ","));
    const detail = flowDetail(positive, ["#支出合计：3笔，共50.46元", "#收入合计：1笔，共0.90元"]);
    for (const files of [[flowSummary(), flowDetail()], [flowDetail()], [detail, flowSummary()]])
      expect((await read({ files })).lines).toEqual(TRUTH);
  });

  it("is read in the newer order of its columns", async () => {
    const names = FLOW_COLUMNS.split(",");
    const newer =
      "账务流水号,业务流水号,商品名称,发生时间,收入金额(+元),支出金额(-元),账户余额(元),交易渠道,业务类型,备注,商户订单号,对方账号";
    const rows = MOVEMENTS.map((line) => {
      const fields = line.replace("VIP 会员, 30 天", "VIP").replace("服务费, 花呗", "服务费").split(",");
      const place = (name: string) => names.indexOf(name.replace("(", "（").replace(")", "）"));
      return newer
        .split(",")
        .map((name) => fields[place(name)])
        .join(",");
    });
    expect((await read({ files: [flowDetail(rows, FLOW_CLOSING, newer)] })).lines).toEqual(TRUTH);
  });

  it("has the kind `other` for an unknown type, and for a movement without an order", async () => {
    const other = MOVEMENTS.map((line) =>
      line
        .replace("在线支付", "分账")
        .replace(
          "01JCXW9Z3K7Q2N5T8V0B4D6F1H\t,VIP 会员, 30 天\t,2026-11-19 10:56",
          "\t,x\t,2026-11-19 10:56",
        ),
    );
    const { lines } = await read({ files: [flowDetail(other), flowSummary()] });
    expect(lines.map(({ kind }) => kind)).toEqual(["other", "fee", "other", "other"]);
  });

  it("is read without balances", async () => {
    const bare = MOVEMENTS.map((line) => line.replace(/,\d+\.\d\d,支付宝/, ",,支付宝"));
    const { lines } = await read({ files: [flowDetail(bare), flowSummary()] });
    for (const line of lines) expect(line).not.toHaveProperty("balance");
  });
});

describe("an inconsistent fund-flow bill", () => {
  it("is rejected if it does not match its own totals", async () => {
    const [expense = "", income = ""] = FLOW_CLOSING;
    const closedBy = (...closing: readonly string[]) => problemOf([flowDetail(MOVEMENTS, closing)]);
    expect(await closedBy(expense, "#收入合计：2笔，共0.90元")).toContain("fewer movements");
    expect(await closedBy(expense, "#收入合计：0笔，共0.90元")).toMatch(/do not add up to this total$/);
    expect(await closedBy(expense, "#收入合计：1笔，共0.91元")).toMatch(/do not add up to this total$/);
    expect(await closedBy("#支出合计：3笔，共-50.45元", income)).toMatch(/do not add up to this total$/);
    expect(await closedBy(expense)).toContain("ends early");
    expect(await problemOf([flowDetail(MOVEMENTS.slice(1)), flowSummary()])).toContain("fewer movements");
    for (const total of ["合计\t,2,0.90,3,-50.46,0", "合计\t,1,0.90,3,-50.47,0"])
      expect(await problemOf([flowDetail(), flowSummary(total)])).toContain("do not add up to its totals");
    expect(await problemOf([flowSummary()])).toContain("no file with movements");
  });

  it("is rejected if it is the trade bill, or the bill of another seller or day", async () => {
    const text = new TextDecoder("gbk").decode(flowDetail());
    const { gbk } = await import("../testing/bill-files.js");
    const changed = (from: string, to: string) => problemOf([gbk(text.replace(from, to))]);
    expect(await changed("账务明细查询", "业务明细查询")).toContain("not the title of this type of bill");
    expect(await changed("[20881021196858380156]", "[20881021196858390156]")).toContain(
      "the bill of another seller",
    );
    expect(await changed("2026年11月19日", "2026年11月18日")).toContain("another day");
    expect(await changed("账户余额（元）", "余额")).toContain("the column 账户余额（元） is missing");
  });

  it.each([
    ["too few fields", (line: string) => line.slice(0, 110), {}],
    ["an invalid amount", (line: string) => line.replace(",0.90,", ",x,"), {}],
    [
      "neither income nor expense",
      (line: string) => line.replace(",0.90,", ",0.00,"),
      { outTradeNo: order.merchantNo },
    ],
  ])("passes an unreadable movement as unreadable: %s", async (_, injectFault, numbers) => {
    const [first = "", ...rest] = MOVEMENTS;
    const files = [flowDetail([injectFault(first), ...rest]), flowSummary()];
    const { lines, totals } = await read({ files });
    expect(lines.slice(1)).toEqual(TRUTH.slice(1));
    expect(lines[0]).toMatchObject({ kind: "unreadable", at: 6, ...numbers });
    expect(JSON.stringify(lines[0])).not.toMatch(/VIP|津水|qq\.com/);
    expect(orThrow(totals)).toEqual({ lines: 3, income: 0, expense: 5_046, unreadable: 1 });
  });
});

describe("the response with the URL of a fund-flow bill", () => {
  it("is a trusted refusal for a merchant without permission", async () => {
    const node = {
      code: "40006",
      msg: "Insufficient Permissions",
      sub_code: "isv.insufficient-isv-permissions",
    };
    expect((await read({ node })).totals._unsafeUnwrapErr()).toMatchObject({ name: "wallet.rejected" });
  });

  it("reports an empty day if the wallet has no data", async () => {
    const { totals } = await read({
      node: { code: "40004", msg: "Business Failed", sub_code: "NO_BILL_DATA" },
    });
    expect(orThrow(totals)).toEqual({ lines: 0, income: 0, expense: 0 });
  });
});
