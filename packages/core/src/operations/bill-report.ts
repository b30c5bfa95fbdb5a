import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { BillException } from "../bills/bill-exception.js";
import type { BillExceptionPosition } from "../bills/bill-exception-store.js";
import { type Bill, billedMerchants, isSameMerchant, type Merchant } from "../bills/bill.js";
import type { KeptBill, KeptBillSums } from "../bills/kept-bill-store.js";
import type { StorageFailure } from "../errors/failure.js";
import { PAY_CHANNELS } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { dateText, DAY, dayNumber, isDate } from "../shared/date.js";
import { issue, lazySchema, singleLineText } from "../shared/input.js";
import { type BillReportScope, billReportScope } from "./bill-report-scope.js";
import { type BillReportSums, sumBillRows } from "./bill-report-sums.js";
import { type BillReportLine, billLineReader, linesRemoved } from "./bill-line-reader.js";

import { type MissingBillDays, missingDaysOf } from "./list-missing-bill-days.js";

/** The parameters of {@link openBillReport}. */
export const billReportInput = lazySchema(() =>
  z
    .object({
      /** A month, `YYYY-MM`, or a day, `YYYY-MM-DD`. */
      period: singleLineText(10).refine((text) => isDate(firstDay(text)) && text >= "2000", issue("date")),
      appId: singleLineText(64).optional(),
      payChannel: z.enum(PAY_CHANNELS).optional(),
      accountId: singleLineText(64).optional(),
      appEnv: z.enum(["DEV", "PROD"]).default("PROD"),
    })
    .brand<"BillReportInput">(),
);
/** Valid parameters, the output of `parseInput(billReportInput(), …)`. */
export type BillReportInput = z.output<ReturnType<typeof billReportInput>>;

/** The ports that {@link openBillReport} uses. */
export type BillReportPorts = Pick<Ports, "keptBills" | "billExceptions" | "payTools" | "orders" | "refunds">;

/** The sums of one app in the bill of one account and day. */
export interface BillReportRow extends Bill, BillReportSums {
  /** Absent for the lines whose numbers no order has. */
  readonly appId?: string;
}

/**
 * Why the sums of a day are not those of the wallet's bill.
 *
 * - unreadable: the bill has lines that could not be read; `count` is their number.
 * - unpriced: the bill omits the fee of `count` lines.
 * - fees: the fees of the lines add up to `sum`, and the bill's own total is `stated`.
 */
export interface BillReportDifference extends Bill {
  readonly kind: "unreadable" | "unpriced" | "fees";
  readonly count?: number;
  readonly sum?: number;
  readonly stated?: number;
}

/** What the bills of a month or day state. */
export interface BillReport {
  /** The first and the last day in China, `YYYY-MM-DD`. */
  readonly from: string;
  readonly until: string;
  /** The accounts that the report covers. Empty if none matches the filters. */
  readonly accounts: readonly Merchant[];
  /** Sorted by day, channel, account and app. The lines that no app has come last. */
  readonly days: readonly BillReportRow[];
  /** The sums of the whole period by channel, account and app, in the order of `days`. */
  readonly totals: readonly Omit<BillReportRow, "day">[];
  readonly total: BillReportSums;
  /** The balances of each day by the fund-flow bill of the account, where it was read. */
  readonly balances: readonly (Bill & Pick<KeptBill, "opening" | "closing">)[];
  /** The days whose bills are not kept, because no run has read them. */
  readonly missingDays: readonly MissingBillDays[];
  /** The OPEN exceptions of the days, by bill. At most 1,000: then `hasMoreExceptions`. */
  readonly exceptions: readonly BillException[];
  readonly hasMoreExceptions: boolean;
  readonly differences: readonly BillReportDifference[];
  /**
   * Whether no day, exception or difference stands between the sums and the wallets' bills.
   *
   * False if the report covers no account.
   */
  readonly isComplete: boolean;
}

/** A report and its lines, which are read from the same state of the bills. */
export interface OpenedBillReport {
  readonly report: BillReport;
  /**
   * Returns the next lines, in the order of `days` and of the bill. Empty after the last one.
   *
   * Fails with `storage.unavailable` if housekeeping has removed lines since the report was opened.
   */
  readonly nextLines: () => ResultAsync<readonly BillReportLine[], StorageFailure>;
}

/** The number of lines that are in memory at once. */
const PAGE = 500;
/** The number of exceptions that a report names. */
const MAX_EXCEPTIONS = 1_000;

/**
 * Opens the report of a month or day: what the wallets' bills state, by day, account and app.
 *
 * A line belongs to the day of its bill, and to the app of the order with its number. A line whose
 * number no order has belongs to its account alone. So each line is in one report of a day, and in
 * one row of it. Amounts are those of the bill.
 *
 * Reads the sums only. `nextLines` reads the lines a page at a time. Runs that compare bills at the
 * same time do not change an opened report.
 *
 * @param seesApp - returns whether the reader may see an app. The lines of no app, the balances and
 *   the differences of an account need the right to see every app of the account.
 * @returns the report, and a function that reads its lines.
 * @example
 * ```ts
 * import { billReportInput, openBillReport, parseInput } from "@tillkit/core";
 *
 * const opened = await parseInput(billReportInput(), { period: "2026-10" }).asyncAndThen((input) =>
 *   openBillReport(ports, input, () => true),
 * );
 * if (opened.isOk()) console.log(opened.value.report.total.net);
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/financial-reports.md |
 *   Reports add up the wallets' bills}
 */
export function openBillReport(
  ports: BillReportPorts,
  input: BillReportInput,
  seesApp: (appId: string) => boolean,
): ResultAsync<OpenedBillReport, StorageFailure> {
  return attempt(async () => {
    const { from, until } = rangeOf(input.period);
    const tools = await ports.payTools.listAll();
    if (tools.isErr()) return tools;
    const scope = billReportScope(tools.value, input, seesApp);
    const listed = await ports.keptBills.list(from, until);
    if (listed.isErr()) return listed;
    const bills = listed.value.filter(scope.hasBill);
    const summed = await ports.keptBills.sums(bills.map(({ runId }) => runId));
    if (summed.isErr()) return summed;
    const byRun = grouped(summed.value, ({ runId }) => runId);
    const sumsOf = ({ runId }: KeptBill) => byRun.get(runId) ?? [];
    if (bills.some((bill) => bill.lines !== linesOf(sumsOf(bill)))) return linesRemoved();
    const days = bills.flatMap((bill) => rowsOf(bill, sumsOf(bill), scope));
    const missing = await missingDaysOf(ports, tools.value, {
      from,
      until,
      done: bills,
      covers: scope.hasBill,
    });
    if (missing.isErr()) return missing;
    const open = await openExceptions(ports, { from, until }, scope);
    if (open.isErr()) return open;
    const { exceptions, hasMoreExceptions } = open.value;
    const differences = bills.flatMap((bill) => differencesOf(bill, sumsOf(bill), scope));
    const accounts = billedMerchants(tools.value)
      .map(({ merchant }) => merchant)
      .filter(scope.hasBill);
    const problems = [...missing.value, ...exceptions, ...differences];
    const report: BillReport = {
      from,
      until,
      accounts,
      days,
      totals: totalsOf(days),
      total: sumBillRows(days),
      balances: bills.flatMap((bill) => (scope.isWhole(bill) ? balanceOf(bill) : [])),
      missingDays: missing.value,
      exceptions,
      hasMoreExceptions,
      differences,
      isComplete: accounts.length > 0 && problems.length === 0,
    };
    return ok({ report, nextLines: billLineReader(ports, bills, scope.hasApp) });
  });
}

/** Returns the first day of a month or day. */
function firstDay(period: string): string {
  return period.length === 7 ? `${period}-01` : period;
}

function rangeOf(period: string): { readonly from: string; readonly until: string } {
  const from = firstDay(period);
  if (period.length !== 7) return { from, until: from };
  const next = dateText(((dayNumber(from) ?? 0) + 31) * DAY).slice(0, 7);
  return { from, until: dateText(((dayNumber(`${next}-01`) ?? 0) - 1) * DAY) };
}

function linesOf(sums: readonly KeptBillSums[]): number {
  return sums.reduce((count, { payments, refunds }) => count + payments + refunds, 0);
}

function rowsOf(
  bill: KeptBill,
  sums: readonly KeptBillSums[],
  scope: BillReportScope,
): readonly BillReportRow[] {
  return sums
    .filter(({ appId }) => scope.hasApp(bill, appId))
    .map(({ runId: _, ...row }) => ({ ...billOf(bill), ...row, net: row.received - row.fees }))
    .toSorted((left, right) => compareTexts(left.appId, right.appId));
}

/** Compares two texts. An absent one is the last. */
function compareTexts(left: string | undefined, right: string | undefined): number {
  if (left === undefined || right === undefined) return left === right ? 0 : left === undefined ? 1 : -1;
  return left < right ? -1 : left > right ? 1 : 0;
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(item);
  }
  return groups;
}

function billOf({ day, payChannel, appEnv, accountId }: Bill): Bill {
  return { day, payChannel, appEnv, accountId };
}

function totalsOf(days: readonly BillReportRow[]): BillReport["totals"] {
  const groups = grouped(days, ({ payChannel, accountId, appId }) =>
    JSON.stringify([payChannel, accountId, appId]),
  );
  return [...groups.values()]
    .flatMap((rows) => {
      const [first] = rows;
      if (first === undefined) return [];
      const { payChannel, appEnv, accountId, appId } = first;
      const named = { payChannel, appEnv, accountId, ...(appId === undefined ? {} : { appId }) };
      return [{ ...named, ...sumBillRows(rows) }];
    })
    .toSorted(
      (left, right) =>
        compareTexts(left.payChannel, right.payChannel) ||
        compareTexts(left.accountId, right.accountId) ||
        compareTexts(left.appId, right.appId),
    );
}

function balanceOf({ opening, closing, ...bill }: KeptBill): BillReport["balances"] {
  return opening === undefined || closing === undefined ? [] : [{ ...billOf(bill), opening, closing }];
}

function differencesOf(
  bill: KeptBill,
  sums: readonly KeptBillSums[],
  scope: BillReportScope,
): readonly BillReportDifference[] {
  const found: BillReportDifference[] = [];
  const { unreadable, fees: stated } = bill;
  if (unreadable > 0) found.push({ ...billOf(bill), kind: "unreadable", count: unreadable });
  const ours = sums.filter(({ appId }) => scope.hasApp(bill, appId));
  const unpriced = ours.reduce((count, one) => count + one.unpriced, 0);
  if (unpriced > 0) found.push({ ...billOf(bill), kind: "unpriced", count: unpriced });
  // An unreadable line, and one whose fee is unknown, may contain the missing fee.
  if (found.length > 0 || stated === undefined || !scope.isWhole(bill)) return found;
  const sum = sums.reduce((total, { fees }) => total + fees, 0);
  return sum === stated ? [] : [{ ...billOf(bill), kind: "fees", sum, stated }];
}

function openExceptions(
  ports: Pick<Ports, "billExceptions">,
  { from, until }: { readonly from: string; readonly until: string },
  scope: BillReportScope,
): ResultAsync<Pick<BillReport, "exceptions" | "hasMoreExceptions">, StorageFailure> {
  return attempt(async () => {
    const counted = await ports.billExceptions.countByBill(from, until);
    if (counted.isErr()) return counted;
    const exceptions: BillException[] = [];
    for (const bill of counted.value.filter((one) => one.open > 0 && scope.hasBill(one))) {
      const { day, payChannel, accountId } = bill;
      const filter = { state: "OPEN", day, payChannel, accountId } as const;
      let before: BillExceptionPosition | undefined;
      do {
        const page = await ports.billExceptions.list({ ...filter, before, limit: PAGE });
        if (page.isErr()) return page;
        const theirs = page.value.items.filter(
          (one) => isSameMerchant(one, bill) && scope.hasApp(bill, one.order?.appId),
        );
        exceptions.push(...theirs);
        if (exceptions.length > MAX_EXCEPTIONS)
          return ok({ exceptions: exceptions.slice(0, MAX_EXCEPTIONS), hasMoreExceptions: true });
        before = page.value.next;
      } while (before !== undefined);
    }
    return ok({ exceptions, hasMoreExceptions: false });
  });
}
