import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openHost, type Place } from "../testing/cli.js";

const AT = 1_750_000_000_000;

/** Returns a line in the form of an export. Its `bizNo` sorts by `number`. */
function line(number: number, changes: Readonly<Record<string, unknown>> = {}): string {
  const members = {
    appId: "old",
    bizNo: `b-${String(number).padStart(6, "0")}`,
    id: `w-${number}`,
    customerIdentity: `user-${number % 7}`,
    amount: 600,
    goodsTitle: "会员月卡",
    payChannel: "WALLET_A",
    paySource: "APP",
    paymentStatus: "PAID",
    attachData: '{"sku": 1}',
    sourceFrom: "huawei",
    pmtDt: AT + 1,
    walletTradeNo: "420000",
    refundedAmount: 0,
    gmtCreate: AT,
    gmtModified: AT + 2,
  };
  return JSON.stringify({ ...members, ...changes });
}

let place: Place;
const importing = (input: string, code = 0, ...options: readonly string[]) =>
  place.ask(["import", "orders", "-", "--operator", "kim", ...options], { input, code });

beforeEach(async () => {
  place = await openHost();
  const create = ["apps", "create", "--name", "Old", "--app-id", "old", "--app-secret-stdin"];
  await place.ask(create, { input: "the-old-secret" });
});

describe("import and export of orders", () => {
  it("writes the bytes that it read, and changes nothing the second time", async () => {
    const unpaid = { pmtDt: undefined, walletTradeNo: undefined };
    const lines = [
      line(1),
      line(2, { paymentStatus: "PENDING", ...unpaid }),
      line(3, { paymentStatus: "CLOSE", ...unpaid, attachData: undefined, sourceFrom: undefined }),
      line(4, { paymentStatus: "REFUND", refundedAmount: 600 }),
      line(5, { refundedAmount: 599, payChannel: "WALLET_B" }),
      ...Array.from({ length: 600 }, (_, index) => line(index + 6)),
    ];
    const content = lines.map((one) => `${one}\n`).join("");
    expect(await importing(content)).toMatchObject({ imported: 605, unchanged: 0 });
    const events = { name: "events", text: `select count(*)::int as n from ${place.schema}.timeline` };
    const before = await place.sql.query(events, []);
    expect(await importing(content)).toMatchObject({ imported: 0, unchanged: 605 });
    expect(await place.sql.query(events, [])).toEqual(before);
    const file = join(place.folder, "out.jsonl");
    expect(await place.ask(["export", "orders", file])).toEqual({ file, orders: 605 });
    expect(await readFile(file, "utf8")).toBe(content);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("loses and doubles nothing if imports run at the same time", async () => {
    const content = Array.from({ length: 300 }, (_, index) => line(index)).join("\n");
    await Promise.all([importing(content), importing(content), importing(content)]);
    expect(await importing(content)).toMatchObject({ imported: 0, unchanged: 300 });
    const explained = await place.ask(["orders", "explain", "--app", "old", "b-000007"]);
    expect(explained).toMatchObject({
      chainHolds: true,
      timeline: [{ type: "IMPORTED", actor: "operator:kim", seq: 1 }],
    });
  });

  it("reports every wrong line by number, and imports the others", async () => {
    const wrong = [
      "{",
      line(1, { amount: 1.5 }),
      line(2, { refundAmount: 1 }),
      line(3, { refundedAmount: 600 }),
      line(4, { paymentStatus: "PENDING" }),
      line(5, { pmtDt: undefined }),
      line(6, { appId: "none" }),
      line(7, { customerIdentity: "13800138000" }),
      line(8, { paymentStatus: "PAYED" }),
      line(100, { id: "w-101" }),
    ];
    const content = [line(101), ...wrong, "", line(102)].join("\n");
    const dry = await importing(content, 1, "--dry-run");
    expect(dry).toMatchObject({ imported: 2, unchanged: 0, problems: { total: wrong.length } });
    const report = await importing(content, 1);
    expect(report).toMatchObject({
      imported: 2,
      unchanged: 0,
      problems: { total: wrong.length, first: wrong.map((_, index) => ({ line: index + 2 })) },
    });
    const changed = await importing(line(101, { amount: 700 }), 1);
    expect(JSON.stringify(changed)).toContain("stored with other values");
    expect(await place.ask(["orders", "find", "--app", "old", "--biz-no", "b-000101"])).toMatchObject({
      orders: [{ amount: 600 }],
    });
  });
});
