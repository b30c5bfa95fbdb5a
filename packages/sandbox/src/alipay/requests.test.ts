import { beforeEach, describe, expect, it } from "vitest";
import { beijing } from "../testing/beijing.js";
import {
  NOON,
  NOTIFIED,
  NUMBER,
  openHarness,
  orderB,
  type SandboxHarness,
} from "../testing/sandbox-harness.js";

const DAY = 86_400_000;
const SECOND = 1_000;
const QUERY = "alipay.trade.query";
const PRECREATE = "alipay.trade.precreate";

let harness: SandboxHarness;
beforeEach(async () => {
  harness = await openHarness();
});

/** GBK codes of the used characters by the standard's table, because Node only decodes GBK. */
const GBK_PAIRS: Readonly<Record<string, readonly [number, number]>> = {
  会: [0xbb, 0xe1],
  员: [0xd4, 0xb1],
  交: [0xbd, 0xbb],
  易: [0xd2, 0xd7],
  不: [0xb2, 0xbb],
  存: [0xb4, 0xe6],
  在: [0xd4, 0xda],
};
const GBK = {
  bytes: (text: string) =>
    Uint8Array.from([...text].flatMap((character) => GBK_PAIRS[character] ?? [character.charCodeAt(0)])),
  text: (bytes: Uint8Array) => new TextDecoder("gbk", { fatal: true }).decode(bytes),
};

describe("how Alipay reads a request", () => {
  it.each(["GET", "POST", "split"] as const)("reads its parameters from URL and body: %s", async (way) => {
    const { node, trusted } = await harness.sendB(PRECREATE, orderB(), { way });
    expect(node).toMatchObject({ code: "10000", out_trade_no: NUMBER });
    expect(trusted).toBe(true);
  });

  it.each(["GET", "POST", "split"] as const)("reads and writes GBK: %s", async (way) => {
    const spoken = { way, encoding: GBK, common: { ...NOTIFIED, charset: "GBK" } } as const;
    const made = await harness.sendB(PRECREATE, orderB({ subject: "会员 VIP" }), spoken);
    expect(made.node).toMatchObject({ code: "10000" });
    expect([made.trusted, made.type]).toEqual([true, "text/html;charset=GBK"]);
    // The title arrived: the notification in UTF-8 has the same one.
    await harness.sandbox.simulatorControls.pay(NUMBER);
    expect(new URLSearchParams(harness.delivered[0]?.body).get("subject")).toBe("会员 VIP");
    const absent = await harness.sendB(QUERY, { out_trade_no: "ORDER_9" }, spoken);
    expect(absent.node).toMatchObject({ sub_code: "ACQ.TRADE_NOT_EXIST", sub_msg: "交易不存在" });
    expect(absent.trusted).toBe(true);
  });

  it("rejects GBK that is declared as UTF-8", async () => {
    const order = orderB({ subject: "会员" });
    expect((await harness.sendB(PRECREATE, order, { encoding: GBK })).node).toMatchObject({
      sub_code: "isv.invalid-parameter",
    });
  });

  it.each([
    ["a day ago", -DAY, true],
    ["longer ago", -DAY - SECOND, false],
    ["a year ago", -365 * DAY, false],
    ["in a day", DAY, true],
    ["later", DAY + SECOND, false],
  ])("accepts a call only with a time at most a day off: %s", async (_when, ms, taken) => {
    const common = { timestamp: beijing(NOON + ms) };
    const { node } = await harness.sendB(QUERY, { out_trade_no: NUMBER }, { common });
    expect(node).toMatchObject({ sub_code: taken ? "ACQ.TRADE_NOT_EXIST" : "isv.invalid-timestamp" });
  });

  it("accepts a payload signed by the app for as long as a trade can be paid, and no longer", async () => {
    const shown = async (ms: number, number: string) => {
      const order = orderB({ product_code: "QUICK_WAP_WAY", out_trade_no: number });
      const common = { timestamp: beijing(NOON + ms) };
      await harness.sendB("alipay.trade.wap.pay", order, { common, way: "GET" });
      return harness.sandbox.simulatorControls.order(number).isOk();
    };
    expect([await shown(-15 * DAY, "ORDER_1"), await shown(-17 * DAY, "ORDER_2")]).toEqual([true, false]);
  });

  it.each([
    ["subject", orderB({ subject: "VIP 😀" })],
    ["body", orderB({ body: "𠮷" })],
    ["subject", orderB({ subject: "half \ud83d" })],
  ])("rejects a character beyond U+FFFF in the %s: %j", async (name, order) => {
    const { node } = await harness.sendB(PRECREATE, order);
    expect(node).toMatchObject({ code: "40004", sub_code: "ACQ.INVALID_PARAMETER" });
    expect(node["sub_msg"]).toContain(name);
    expect((await harness.sendB(PRECREATE, orderB({ subject: "✓ 会员" }))).node).toMatchObject({
      code: "10000",
    });
  });

  it("rejects an emoji in the reason of a refund", async () => {
    await harness.sendB(PRECREATE, orderB());
    await harness.sandbox.simulatorControls.pay(NUMBER);
    const refund = { out_trade_no: NUMBER, out_request_no: "R_1", refund_amount: "1.00" };
    const { node } = await harness.sendB("alipay.trade.refund", { ...refund, refund_reason: "🎉" });
    expect(node).toMatchObject({ sub_code: "ACQ.INVALID_PARAMETER" });
    expect(harness.sandbox.simulatorControls.balance("WALLET_B")).toBe(600);
  });
});
