import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { emptiedHost } from "../testing/cli.js";
import { openSandboxShop } from "../testing/sandbox-shop.js";

const openHost = emptiedHost();

const sums = z.object({
  payments: z.number(),
  paymentAmount: z.number(),
  refunds: z.number(),
  refundAmount: z.number(),
  received: z.number(),
  fees: z.number(),
  net: z.number(),
});
const place = z.object({ payChannel: z.string(), appId: z.string().optional() });
const line = place.extend({
  kind: z.string(),
  amount: z.number(),
  fee: z.number(),
  net: z.number(),
  bizNo: z.string().optional(),
  day: z.string(),
});
const reportOf = z.object({
  isComplete: z.boolean(),
  total: sums,
  days: z.array(sums.extend(place.shape)),
  lines: z.array(line).default([]),
  missingDays: z.array(z.object({ payChannel: z.string(), days: z.array(z.string()) })),
  openExceptions: z.array(z.object({ kind: z.string() })),
  differences: z.array(z.object({ kind: z.string() })),
  balances: z.array(z.object({ payChannel: z.string(), opening: z.number(), closing: z.number() })),
});
const reconciled = z.object({
  bills: z.array(
    z.object({
      totals: z.object({ paymentAmount: z.number(), refundAmount: z.number(), fees: z.number() }),
      flow: z.object({ figures: z.object({ fees: z.number(), net: z.number() }) }),
    }),
  ),
});

const exportedLine = z.object({ bizNo: z.string() }).catchall(z.unknown());

async function openReports() {
  const shop = await openSandboxShop(openHost);
  shop.dayGoesBy();
  const report = async (argv: readonly string[], code: number) => {
    const args = ["reports", ...argv, "--gateway", "DEV", "--format", "json"];
    const ran = await shop.tillkit(args, shop.io);
    expect(ran.code).toBe(code);
    return reportOf.parse(JSON.parse(ran.stdout));
  };
  return { ...shop, report };
}

it("adds up both wallets' bills to the cent, and gives each of two apps its own lines", async () => {
  const { appId, newShop, paid, refund, dayGoesBy, bills, report } = await openReports();
  const second = await newShop();
  for (const [channel, mark] of [
    ["WALLET_A", "a"],
    ["WALLET_B", "b"],
  ] as const) {
    await paid(channel, `${mark}-1`, { amount: 12_345 });
    await refund(`${mark}-1`, 345);
    await paid(channel, `${mark}-free`, { amount: 1 });
    await paid(channel, `${mark}-2`, { app: second, amount: 9_900 });
  }
  const day = dayGoesBy();
  const { bills: stated } = reconciled.parse(await bills(["reconcile", "--date", day], 0));
  const all = await report(["day", "--day", day, "--lines"], 0);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  expect(stated).toHaveLength(2);
  expect(all).toMatchObject({ isComplete: true, missingDays: [], openExceptions: [], differences: [] });
  expect(all.total).toMatchObject({
    paymentAmount: sum(stated.map(({ totals }) => totals.paymentAmount)),
    refundAmount: sum(stated.map(({ totals }) => totals.refundAmount)),
    fees: sum(stated.map(({ flow }) => flow.figures.fees)),
    net: sum(stated.map(({ flow }) => flow.figures.net)),
  });
  expect(all.total.paymentAmount).toBe(2 * (12_345 + 1 + 9_900));
  expect(sum(all.lines.map(({ net }) => net))).toBe(all.total.net);
  expect(all.lines.filter(({ amount }) => amount === 1).map(({ fee }) => fee)).toEqual([0, 0]);
  expect(all.balances).toHaveLength(2);
  for (const { opening, closing, payChannel } of all.balances)
    expect(closing - opening).toBe(
      sum(all.days.filter((row) => row.payChannel === payChannel).map(({ net }) => net)),
    );
  const [first, other] = [
    await report(["day", "--day", day, "--lines", "--app", appId], 0),
    await report(["day", "--day", day, "--lines", "--app", second], 0),
  ];
  expect(first.lines.map(({ bizNo }) => bizNo).toSorted()).toEqual(
    ["a-1", "a-1", "a-free", "b-1", "b-1", "b-free"].toSorted(),
  );
  expect(other.lines.map(({ bizNo }) => bizNo).toSorted()).toEqual(["a-2", "b-2"]);
  expect(first.total.net + other.total.net).toBe(all.total.net);
}, 600_000);

it("has the corrected sums after the wallet corrects a bill, and the same report for an unchanged bill", async () => {
  const { paid, dayGoesBy, bills, report, faults } = await openReports();
  await paid("WALLET_A", "a-1");
  await paid("WALLET_B", "b-1");
  const day = dayGoesBy();
  await faults({ walletB: { billFile: "wrong-amount" } });
  await bills(["reconcile", "--date", day], 1);
  const wrong = await report(["month", "--month", day.slice(0, 7)], 1);
  expect(wrong.total.paymentAmount).toBe(1_300);
  expect(wrong.openExceptions.map(({ kind }) => kind)).toContain("PAYMENT_AMOUNT");
  await faults({ walletB: null });
  await bills(["reconcile", "--date", day], 0);
  const right = await report(["day", "--day", day, "--lines"], 0);
  expect(right.total.paymentAmount).toBe(1_200);
  await bills(["reconcile", "--date", day], 0);
  expect(await report(["day", "--day", day, "--lines"], 0)).toEqual(right);
}, 600_000);

it("names missing days and unreadable lines, and exits with 1", async () => {
  const { paid, dayGoesBy, bills, report, faults } = await openReports();
  await paid("WALLET_A", "a-1");
  await paid("WALLET_B", "b-1");
  await paid("WALLET_B", "b-2");
  const day = dayGoesBy();
  const missing = { payChannel: "WALLET_A", days: [day] };
  expect((await report(["day", "--day", day], 1)).missingDays).toContainEqual(missing);
  await faults({ walletB: { billFile: "unreadable-line" } });
  await bills(["reconcile", "--date", day], 1);
  const { differences, openExceptions } = await report(["day", "--day", day, "--channel", "WALLET_B"], 1);
  expect(differences).toMatchObject([{ kind: "unreadable" }]);
  expect(openExceptions).toMatchObject([{ kind: "UNREADABLE_LINE" }]);
  await report(["day", "--day", day, "--channel", "WALLET_A"], 0);
}, 600_000);

it("writes CSV to a file, and to standard output with the summary on standard error", async () => {
  const { paid, dayGoesBy, bills, tillkit, io, folder } = await openReports();
  await paid("WALLET_A", "=1+1");
  const day = dayGoesBy();
  await bills(["reconcile", "--date", day], 0);
  const file = join(folder, "report.csv");
  const asked = ["reports", "day", "--day", day, "--gateway", "DEV", "--lines"];
  const ran = await tillkit([...asked, file], io);
  expect(ran.code).toBe(0);
  expect(ran.stdout).toContain(`The file is ${file}.`);
  const text = await readFile(file, "utf8");
  expect(text).toContain(`line,${day},WALLET_A,`);
  expect(text).toContain(`"'=1+1"`);
  const piped = await tillkit(asked, io);
  expect(piped).toMatchObject({ code: 0, stdout: text.replace("\uFEFF", "") });
  expect(piped.stderr).toContain("The sums are those of the wallets' bills.");
  const future = await tillkit(["reports", "month", "--month", "2199-01", "--gateway", "DEV"], io);
  expect(future.code).toBe(1);
  expect(future.stderr).toContain("Missing days: 62.");
  const unknown = await tillkit([...asked, "--app", "app_unknown"], io);
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain("No merchant account matches the options.");
  expect((await tillkit(["reports", "month", "--month", "2026-13"], io)).code).toBe(2);
}, 600_000);

it("exports the refunds and the lines of the bills of a period, each once", async () => {
  const { appId, newShop, paid, refund, dayGoesBy, bills, tillkit, io } = await openReports();
  const second = await newShop();
  await paid("WALLET_A", "a-1");
  await refund("a-1", 100);
  await paid("WALLET_A", "a-2", { app: second });
  const first = dayGoesBy();
  await paid("WALLET_B", "b-1");
  await refund("b-1", 600);
  const last = dayGoesBy();
  for (const day of [first, last]) await bills(["reconcile", "--date", day], 0);
  const exported = async (records: string, options: readonly string[]) => {
    const ran = await tillkit(["export", records, "-", ...options, "--operator", "kim"], io);
    expect(ran.code).toBe(0);
    const lines = ran.stdout.split("\n").filter((text) => text !== "");
    return lines.map((text) => exportedLine.parse(JSON.parse(text)));
  };
  const numbers = (lines: readonly z.output<typeof exportedLine>[]) => lines.map(({ bizNo }) => bizNo);
  expect(numbers(await exported("refunds", []))).toEqual(["b-1", "a-1"]);
  expect(await exported("refunds", ["--until", first])).toMatchObject([
    { bizNo: "a-1", amount: 100, origin: "tillkit", status: "CONFIRMED" },
  ]);
  expect(numbers(await exported("refunds", ["--app", second]))).toEqual([]);
  const all = await exported("settlements", []);
  expect(numbers(all).toSorted()).toEqual(["a-1", "a-1", "a-2", "b-1", "b-1"]);
  expect(numbers(await exported("settlements", ["--from", last, "--until", last]))).toEqual(["b-1", "b-1"]);
  expect(await exported("settlements", ["--app", second])).toMatchObject([
    { bizNo: "a-2", day: first, payChannel: "WALLET_A", amount: 600, received: 600, fee: 4, net: 596 },
  ]);
  expect(numbers(await exported("settlements", ["--app", appId, "--until", first]))).toEqual(["a-1", "a-1"]);
}, 600_000);
