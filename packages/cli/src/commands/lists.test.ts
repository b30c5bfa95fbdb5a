import { describe, expect, it } from "vitest";
import { z } from "zod";
import { emptiedHost } from "../testing/cli.js";
import { openShop } from "../testing/shop.js";

const openHost = emptiedHost();
const orders = z.object({
  orders: z.array(z.object({ bizNo: z.string() }).transform(({ bizNo }) => bizNo)),
  hasMore: z.boolean(),
});
const refunds = z.object({
  refunds: z.array(z.object({ refundNo: z.string() }).transform(({ refundNo }) => refundNo)),
  hasMore: z.boolean(),
});
const found = z.object({ orders: orders.shape.orders, refunds: refunds.shape.refunds });

/** Opens a shop with two open orders, a paid one and one with two refunds, by two operators. */
async function soldShop() {
  const shop = await openShop(openHost);
  const { appId, wallet, openWallets, order, ask } = shop;
  const ids = new Map<string, string>();
  for (const bizNo of ["open-1", "open-2", "paid", "refunded"]) ids.set(bizNo, await order(bizNo));
  const idOf = (bizNo: string) => ids.get(bizNo) ?? "";
  for (const bizNo of ["paid", "refunded"]) {
    wallet.pay(idOf(bizNo));
    await ask(["orders", "sync", "--app", appId, bizNo], { openWallets });
  }
  const refund = ["orders", "refund", "--app", appId, "refunded"];
  for (const [refundNo, operator] of [
    ["r-1", "kim"],
    ["r-2", "li"],
  ] as const)
    await ask(
      [...refund, "--amount", "100", "--refund-no", refundNo, "--operator", operator, "--reason", "asked to"],
      { openWallets },
    );
  const app = ["--app", appId];
  const listed = async (...argv: readonly string[]) =>
    orders.parse(await ask(["orders", "list", ...app, ...argv]));
  const refunded = async (...argv: readonly string[]) =>
    refunds.parse(await ask(["refunds", "list", ...app, ...argv]));
  return { ...shop, idOf, listed, refunded };
}

const tomorrow = new Date(Date.now() + 32 * 3_600_000).toISOString().slice(0, 10);
const yesterday = new Date(Date.now() - 16 * 3_600_000).toISOString().slice(0, 10);

describe("lists", () => {
  it("of orders have every filter, and show whether older orders are left out", async () => {
    const { listed, tillkit, appId } = await soldShop();
    const all = ["refunded", "paid", "open-2", "open-1"];
    expect(await listed()).toEqual({ orders: all, hasMore: false });
    expect(await listed("--limit", "2")).toEqual({ orders: all.slice(0, 2), hasMore: true });
    expect((await listed("--status", "pending")).orders).toEqual(["open-2", "open-1"]);
    expect((await listed("--channel", "WALLET_B")).orders).toEqual([]);
    expect((await listed("--channel", "wallet_a", "--min", "600", "--max", "600")).orders).toEqual(all);
    expect((await listed("--min", "601")).orders).toEqual([]);
    expect((await listed("--max", "599")).orders).toEqual([]);
    expect((await listed("--with-alarm")).orders).toEqual([]);
    expect((await listed("--from", yesterday, "--until", tomorrow)).orders).toEqual(all);
    expect((await listed("--from", tomorrow)).orders).toEqual([]);
    const { stdout } = await tillkit(["orders", "list", "--app", appId, "--limit", "1"]);
    expect(stdout).toMatch(
      /^CREATED .*STATUS {2}ALARM\n\S+Z {2}app_\S+ +refunded +\S+ +WALLET_A +¥6\.00 +PAID +-\n/,
    );
    expect(stdout).toContain("There are older ones: set --until, more filters, or a higher --limit.");
    expect((await tillkit(["orders", "list", "--app", "app_none"])).stdout).toBe("No order matches.\n");
  });

  it("of refunds have every filter", async () => {
    const { refunded, tillkit, appId } = await soldShop();
    expect(await refunded()).toEqual({ refunds: ["r-2", "r-1"], hasMore: false });
    expect(await refunded("--limit", "1")).toEqual({ refunds: ["r-2"], hasMore: true });
    expect((await refunded("--operator", "kim")).refunds).toEqual(["r-1"]);
    expect((await refunded("--status", "failed")).refunds).toEqual([]);
    expect((await refunded("--status", "confirmed", "--number", "r-2")).refunds).toEqual(["r-2"]);
    expect((await refunded("--channel", "WALLET_B")).refunds).toEqual([]);
    expect((await refunded("--min", "101")).refunds).toEqual([]);
    expect((await refunded("--from", yesterday)).refunds).toHaveLength(2);
    expect((await refunded("--until", "2026-01-01")).refunds).toEqual([]);
    const { stdout } = await tillkit(["refunds", "list", "--app", appId, "--operator", "kim"]);
    expect(stdout).toMatch(/ r-1 +¥1\.00 +CONFIRMED +\S+Z +kim +asked to$/m);
    expect((await tillkit(["refunds", "list", "--app", "app_none"])).stdout).toBe("No refund matches.\n");
  });

  it("can be CSV, with amounts that a spreadsheet adds up, and other texts on standard error", async () => {
    const { tillkit, appId, order, ask, idOf } = await soldShop();
    await order("0042");
    const csv = async (...argv: readonly string[]) => {
      const { stdout, stderr, code } = await tillkit([...argv, "--app", appId, "--csv"]);
      return { lines: stdout.split("\r\n"), stderr, code };
    };
    const { lines, stderr } = await csv("orders", "list", "--limit", "1");
    expect(lines[0]).toBe("CREATED,APP ID,BIZ NO,ID,CHANNEL,AMOUNT,STATUS,ALARM");
    expect(lines[1]).toMatch(new RegExp(`^\\S+Z,${appId},"'0042",\\w+,WALLET_A,6\\.00,PENDING,$`));
    expect(lines.slice(2)).toEqual([""]);
    expect(stderr).toBe("There are older ones: set --until, more filters, or a higher --limit.\n");
    expect((await csv("refunds", "list", "--operator", "kim")).lines[1]).toContain(",r-1,1.00,CONFIRMED,");
    expect((await csv("orders", "list", "--status", "refund")).lines).toHaveLength(2);
    expect((await csv("orders", "find", "--biz-no", "paid")).lines[1]).toContain(
      `,${idOf("paid")},6.00,PAID,`,
    );
    for (const list of [
      ["alarms", "list"],
      ["service-types", "list"],
      ["pay-tools", "list"],
      ["audit", "list"],
    ])
      expect((await csv(...list)).lines[0]).toMatch(/^[A-Z]+[A-Z, ]+$/);
    const both = await tillkit(["orders", "list", "--csv", "--json"]);
    expect(both.code).toBe(2);
    expect(both.stdout).toContain("Use one of --json and --csv.");
    expect(await ask(["orders", "list", "--app", appId, "--limit", "1"])).toMatchObject({ hasMore: true });
  });

  it("refuse a day that does not exist", async () => {
    const { tillkit } = await openHost();
    for (const day of ["2026-02-30", "yesterday", "2026-2-3", "20260203"]) {
      const refused = await tillkit(["orders", "list", "--from", day]);
      expect(refused).toMatchObject({ code: 2, stdout: "" });
      expect(refused.stderr).toContain("The value must be a day, such as 2026-01-31.");
    }
  });
});

describe("orders find --number", () => {
  it("finds an order and its refunds by any of their numbers, as they are pasted", async () => {
    const { ask, idOf, tillkit, appId, order } = await soldShop();
    const look = async (number: string) => {
      const answer = await ask(["orders", "find", "--number", number]);
      return found.parse(answer);
    };
    expect(await look(idOf("paid"))).toEqual({ orders: ["paid"], refunds: [] });
    expect(await look(` \`${idOf("paid")} `)).toEqual({ orders: ["paid"], refunds: [] });
    expect((await look(`${idOf("refunded")}-r-2`)).refunds).toEqual(["r-2"]);
    expect(await look("no such number")).toEqual({ orders: [], refunds: [] });
    await order("#12");
    expect(await look("#12")).toEqual({ orders: ["#12"], refunds: [] });
    const tradeNo = z
      .object({ orders: z.tuple([z.object({ walletTradeNo: z.string() })]) })
      .parse(await ask(["orders", "find", "--app", appId, "--biz-no", "refunded"])).orders[0].walletTradeNo;
    expect((await look(tradeNo)).orders).toEqual(["refunded"]);
    const { stdout } = await tillkit(["orders", "find", "--number", `${idOf("refunded")}-r-2`]);
    expect(stdout).toMatch(/^No order matches\.\n\nREQUESTED /);
  });

  it("refuses a number together with an id, and an empty number", async () => {
    const { tillkit } = await openHost();
    for (const argv of [["--number", "1", "--id", "2"], ["--number", " "], []]) {
      const refused = await tillkit(["orders", "find", ...argv]);
      expect(refused).toMatchObject({ code: 2, stdout: "" });
    }
  });
});
