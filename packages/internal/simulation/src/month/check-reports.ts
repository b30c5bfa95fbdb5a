import {
  type BillReport,
  billReportInput,
  lastBillDay,
  openBillReport,
  orThrow,
  parseInput,
  PAY_CHANNELS,
  type PayChannel,
} from "@tillkit/core";
import type { BillReportLine } from "@tillkit/core/operators";
import { type BillEntry, EMPTY_BILL, type StatedLine, tallyLines } from "@tillkit/core/ports";
import { okAsync } from "neverthrow";
import type { Environment } from "./environment.js";
import { DAY } from "./month-plan.js";

/** Opens a report of the simulated accounts, and reads its lines. */
export async function readReport(
  { ports }: Environment,
  period: string,
): Promise<{ readonly report: BillReport; readonly lines: readonly BillReportLine[] }> {
  const input = orThrow(parseInput(billReportInput(), { period, appEnv: "DEV" }));
  const { report, nextLines } = await orThrow(openBillReport(ports, input, () => true));
  const lines: BillReportLine[] = [];
  for (;;) {
    const page = await orThrow(nextLines());
    if (page.length === 0) return { report, lines };
    lines.push(...page);
  }
}

/**
 * Returns how the reports of the months and days differ from the wallets' bills.
 *
 * Reads the bills again, without the service. Each line of a bill must be in the report of one day
 * and in the report of one month. The reports must have no other lines. The sums of the reports
 * must equal the sums of the bills, to the cent.
 */
export async function checkReports(environment: Environment, startedAt: number): Promise<readonly string[]> {
  const problems: string[] = [];
  const last = lastBillDay(environment.now());
  const days: string[] = [];
  for (let at = startedAt; lastBillDay(at + DAY) <= last; at += DAY) days.push(lastBillDay(at + DAY));
  const inMonths: string[] = [];
  for (const month of new Set(days.map((day) => day.slice(0, 7)))) {
    const { report, lines } = await readReport(environment, month);
    inMonths.push(...lines.map(textOf));
    if (report.differences.length > 0) problems.push(`${month}: ${JSON.stringify(report.differences)}`);
    const missing = report.missingDays.flatMap((one) => one.days).filter((day) => day <= last);
    if (missing.length > 0) problems.push(`${month} misses ${missing.join(", ")}`);
  }
  const inDays: string[] = [];
  const inBills: string[] = [];
  for (const day of days) {
    const { report, lines } = await readReport(environment, day);
    inDays.push(...lines.map(textOf));
    for (const payChannel of PAY_CHANNELS) {
      const { entries, fees } = await readBill(environment, payChannel, day);
      inBills.push(...entries.map((line) => textOf({ ...line, ...line.settlement, payChannel, day })));
      const there = tallyLines(EMPTY_BILL, entries);
      const sumOf = (name: "paymentAmount" | "refundAmount" | "fees" | "net") =>
        report.days.filter((row) => row.payChannel === payChannel).reduce((sum, row) => sum + row[name], 0);
      const received = entries.reduce((sum, { settlement }) => sum + (settlement?.received ?? 0), 0);
      const wanted = { paymentAmount: there.paymentAmount, refundAmount: there.refundAmount, fees };
      for (const [name, cents] of Object.entries({ ...wanted, net: received - fees }))
        if (sumOf(nameOf(name)) !== cents)
          problems.push(
            `${name} of ${payChannel} on ${day} is ${String(sumOf(nameOf(name)))}, and ${String(cents)} in the bill`,
          );
    }
  }
  if (inDays.toSorted().join("\n") !== inBills.toSorted().join("\n"))
    problems.push(`the reports of the days have ${difference(inDays, inBills)}`);
  if (inMonths.toSorted().join("\n") !== inBills.toSorted().join("\n"))
    problems.push(`the reports of the months have ${difference(inMonths, inBills)}`);
  return problems;
}

const NAMES = ["paymentAmount", "refundAmount", "fees", "net"] as const;

function nameOf(name: string): (typeof NAMES)[number] {
  return NAMES.find((known) => known === name) ?? "net";
}

/** Reads a bill of a wallet as an auditor would, with the credentials of the account. */
async function readBill({ ports, appId }: Environment, payChannel: PayChannel, day: string) {
  const account = await orThrow(ports.payTools.current(appId, payChannel));
  if (account === undefined) throw new Error("The app has no pay tool.");
  const entries: StatedLine[] = [];
  const take = (lines: readonly BillEntry[]) => {
    for (const line of lines) if (line.kind !== "unreadable") entries.push(line);
    return okAsync(undefined);
  };
  const limits = { deadline: ports.policy.billDeadline };
  const totals = await ports.wallets[payChannel].readBill(account, day, take, limits);
  // The wallet has no bill of a day without money.
  return { entries, fees: totals.isOk() ? (totals.value.fees ?? 0) : 0 };
}

function textOf(
  line: Omit<StatedLine, "settlement"> & { readonly day: string; readonly payChannel: string } & Partial<
      Record<"received" | "fee", number>
    >,
) {
  const { day, payChannel, kind, outTradeNo, refundNo = "-", amount, received = 0, fee = 0 } = line;
  return [day, payChannel, kind, outTradeNo, refundNo, amount, received, fee].join(" ");
}

/** Returns the lines that only one of two lists has. */
function difference(left: readonly string[], right: readonly string[]): string {
  const more = left.filter((line) => !right.includes(line));
  const less = right.filter((line) => !left.includes(line));
  return `${String(left.length)} lines instead of ${String(right.length)}: too many ${more.slice(0, 3).join("; ")}; too few ${less.slice(0, 3).join("; ")}`;
}
