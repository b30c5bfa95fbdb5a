import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { BillException } from "../bills/bill-exception.js";
import type { BillExceptionPosition } from "../bills/bill-exception-store.js";
import { type Bill, billedMerchants, isSameBilledMerchant, type Merchant } from "../bills/bill.js";
import type { BillExceptionCount } from "../bills/compared-bill.js";
import type { KeptBill, KeptBillSums } from "../bills/kept-bill-store.js";
import type { StorageFailure } from "../errors/failure.js";
import { PAY_CHANNELS } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { daysAfter, isDate } from "../shared/date.js";
import { issue, lazySchema, singleLineText } from "../shared/input.js";
import { type BillReportScope, billReportScope } from "./bill-report-scope.js";
import { type BillReportSums, sumBillRows } from "./bill-report-sums.js";
import { type BillReportLine, billLineReader, linesRemoved } from "./bill-line-reader.js";

import { type MissingBillDays, missingDaysOf } from "./list-missing-bill-days.js";
import { hasBill, readComparedBills } from "./outdated-bill-days.js";

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
  /** Absent for lines without an order. */
  readonly appId?: string;
}

/**
 * Why the sums of a day are not those of the wallet's bill.
 *
 * - unreadable: the bill has lines that could not be read; `count` is their number.
 * - unpriced: the bill omits the fee of `count` lines.
 * - fees: the fees of the lines add up to `sum`, and the bill's own total is `stated`.
 * - exceptions: the account has other open exceptions that may concern the apps of the report. The
 *   report does not list them, because they may belong to other apps.
 */
export interface BillReportDifference extends Bill {
  readonly kind: "unreadable" | "unpriced" | "fees" | "exceptions";
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
  /** Sorted by day, channel, account and app. Lines without an order come last. */
  readonly days: readonly BillReportRow[];
  /** The sums of the whole period by channel, account and app, in the order of `days`. */
  readonly totals: readonly Omit<BillReportRow, "day">[];
  readonly total: BillReportSums;
  /** The balances of the accounts and days whose fund-flow bills were read. */
  readonly balances: readonly (Bill & Pick<KeptBill, "opening" | "closing">)[];
  /**
   * The days whose bill no run has read, or whose bill must be compared again after an operator's
   * decision.
   */
  readonly missingDays: readonly MissingBillDays[];
  /** The OPEN exceptions of the days, by bill. At most 1,000. */
  readonly exceptions: readonly BillException[];
  /** Whether there are more than 1,000. */
  readonly hasMoreExceptions: boolean;
  readonly differences: readonly BillReportDifference[];
  /**
   * Whether `missingDays`, `exceptions` and `differences` are empty.
   *
   * False if the report covers no account.
   */
  readonly isComplete: boolean;
}

/** A report and its lines, which are read from the same state of the bills. */
export interface OpenedBillReport {
  readonly report: BillReport;
  /**
   * Returns the next lines, in the order of `days` and of the bill; none after the last line.
   *
   * Fails with `storage.unavailable` if housekeeping has removed lines since the report was opened.
   */
  readonly nextLines: () => ResultAsync<readonly BillReportLine[], StorageFailure>;
}

/** The number of exceptions that one call reads. */
const PAGE = 500;
/** The maximum number of exceptions in a report. */
const MAX_EXCEPTIONS = 1_000;

/**
 * Opens the report of a month or day: what the wallets' bills state, by day, account and app.
 *
 * A line belongs to the day of its bill, and to the app of the order whose number it has. A line
 * without an order belongs to its account only. Each line therefore counts once, in one row of one
 * day. Amounts are those of the bill.
 *
 * Reads the sums only. `nextLines` reads the lines a page at a time. Runs that compare bills at the
 * same time do not change an opened report.
 *
 * @param seesApp - returns whether the reader may see an app. If the reader may see only some apps
 *   of an account, the report leaves out the account's lines without an order, its balances and its
 *   `fees` differences.
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
    const list = await ports.keptBills.list(from, until);
    if (list.isErr()) return list;
    const bills = list.value.filter(scope.hasBill);
    const sums = await ports.keptBills.sums(bills.map(({ runId }) => runId));
    if (sums.isErr()) return sums;
    const byRun = grouped(sums.value, ({ runId }) => runId);
    const sumsOf = ({ runId }: KeptBill) => byRun.get(runId) ?? [];
    if (bills.some((bill) => bill.lines !== linesOf(sumsOf(bill)))) return linesRemoved();
    const days = bills.flatMap((bill) => rowsOf(bill, sumsOf(bill), scope));
    const comparison = await readComparedBills(ports, from, until);
    if (comparison.isErr()) return comparison;
    const { counted, outdated } = comparison.value;
    const missing = await missingDaysOf(ports, tools.value, {
      from,
      until,
      done: bills.filter((bill) => !hasBill(outdated, bill)),
      covers: scope.hasBill,
    });
    if (missing.isErr()) return missing;
    const open = await openExceptions(ports, counted, scope);
    if (open.isErr()) return open;
    const { exceptions, hasMoreExceptions, ofAccounts } = open.value;
    const differences = [
      ...bills.flatMap((bill) => differencesOf(bill, sumsOf(bill), scope)),
      ...ofAccounts.map((bill) => ({ ...bill, kind: "exceptions" as const })),
    ];
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
  const next = daysAfter(from, 31).slice(0, 7);
  return { from, until: daysAfter(`${next}-01`, -1) };
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
      const key = { payChannel, appEnv, accountId, ...(appId === undefined ? {} : { appId }) };
      return [{ ...key, ...sumBillRows(rows) }];
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
  const differences: BillReportDifference[] = [];
  const { unreadable, fees: stated } = bill;
  if (unreadable > 0) differences.push({ ...billOf(bill), kind: "unreadable", count: unreadable });
  const ours = sums.filter(({ appId }) => scope.hasApp(bill, appId));
  const unpricedCount = ours.reduce((count, one) => count + one.unpriced, 0);
  if (unpricedCount > 0) differences.push({ ...billOf(bill), kind: "unpriced", count: unpricedCount });
  // An unreadable line, or a line without a fee, can explain a difference of the fees.
  if (differences.length > 0 || stated === undefined || !scope.isWhole(bill)) return differences;
  const sum = sums.reduce((total, { fees }) => total + fees, 0);
  return sum === stated ? [] : [{ ...billOf(bill), kind: "fees", sum, stated }];
}

interface ReportedExceptions extends Pick<BillReport, "exceptions" | "hasMoreExceptions"> {
  /** The bills with further exceptions that may concern the apps of the report. */
  readonly ofAccounts: readonly Bill[];
}

/**
 * Returns whether an exception may concern every app of its account.
 *
 * An exception without an order may concern any app. After `LINE_MISSING`, the report still has the
 * lines of an earlier bill, for every app.
 */
function mayConcernEachApp({ kind, order }: BillException): boolean {
  return order === undefined || kind === "LINE_MISSING";
}

function openExceptions(
  ports: Pick<Ports, "billExceptions">,
  counts: readonly BillExceptionCount[],
  scope: BillReportScope,
): ResultAsync<ReportedExceptions, StorageFailure> {
  return attempt(async () => {
    const exceptions: BillException[] = [];
    const ofAccounts: Bill[] = [];
    for (const bill of counts.filter((one) => one.open > 0 && scope.hasBill(one))) {
      const { day, payChannel, accountId } = bill;
      const filter = { state: "OPEN", day, payChannel, accountId } as const;
      let before: BillExceptionPosition | undefined;
      let hasOthers = false;
      do {
        const page = await ports.billExceptions.list({ ...filter, before, limit: PAGE });
        if (page.isErr()) return page;
        const ofBill = page.value.items.filter((one) => isSameBilledMerchant(one, bill));
        const visible = ofBill.filter((one) => scope.hasApp(bill, one.order?.appId));
        exceptions.push(...visible);
        hasOthers ||= ofBill.some((one) => !visible.includes(one) && mayConcernEachApp(one));
        if (exceptions.length > MAX_EXCEPTIONS)
          return ok({ exceptions: exceptions.slice(0, MAX_EXCEPTIONS), hasMoreExceptions: true, ofAccounts });
        before = page.value.next;
      } while (before !== undefined);
      if (hasOthers) ofAccounts.push(billOf(bill));
    }
    return ok({ exceptions, hasMoreExceptions: false, ofAccounts });
  });
}
