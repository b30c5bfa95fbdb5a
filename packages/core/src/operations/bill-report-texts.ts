import { ok, type ResultAsync } from "neverthrow";
import type { Bill } from "../bills/bill.js";
import type { StorageFailure } from "../errors/failure.js";
import { attempt } from "../shared/attempt.js";
import { type Cell, CSV_START, csvLine, readable, type Readable } from "../shared/csv.js";
import { yuanText } from "../shared/yuan.js";
import type { BillReport, BillReportDifference, OpenedBillReport } from "./bill-report.js";
import type { BillReportSums } from "./bill-report-sums.js";
import type { BillReportLine } from "./bill-line-reader.js";

/** The format of a report: CSV for spreadsheets, or one JSON document. */
export type BillReportFormat = "csv" | "json";

/** Tillkit records amounts in yuan only. */
const CURRENCY = "CNY";

/** The columns of the CSV, in their order. */
const COLUMNS = [
  "record",
  "day",
  "channel",
  "account",
  "app",
  "bizNo",
  "orderId",
  "refundNo",
  "walletTradeNo",
  "state",
  "currency",
  "payments",
  "paymentAmount",
  "refunds",
  "refundAmount",
  "received",
  "fees",
  "net",
  "openingBalance",
  "closingBalance",
  "note",
] as const;
type Column = (typeof COLUMNS)[number];

/**
 * Returns a function that writes a report part by part, so that it is never in memory as a whole.
 *
 * The function returns the next texts, and none after the last part.
 *
 * @param hasLines - whether the report contains a line for each payment and refund.
 * @returns the function.
 * @example
 * ```ts
 * import { billReportInput, openBillReport, parseInput } from "@tillkit/core";
 * import { billReportTexts } from "@tillkit/core/operators";
 *
 * const input = parseInput(billReportInput(), { period: "2026-10" });
 * const opened = await input.asyncAndThen((valid) => openBillReport(ports, valid, () => true));
 * if (opened.isOk()) {
 *   const next = billReportTexts(opened.value, "csv", true);
 *   let texts = await next();
 *   while (texts.isOk() && texts.value.length > 0) {
 *     process.stdout.write(texts.value.join(""));
 *     texts = await next();
 *   }
 * }
 * ```
 */
export function billReportTexts(
  { report, nextLines }: OpenedBillReport,
  format: BillReportFormat,
  hasLines: boolean,
): () => ResultAsync<readonly string[], StorageFailure> {
  const writer = format === "csv" ? csvWriter(report) : jsonWriter(report, hasLines);
  let part: "head" | "lines" | "end" | "done" = "head";
  const next = (): ResultAsync<readonly string[], StorageFailure> =>
    attempt(async () => {
      if (part === "head") {
        part = hasLines ? "lines" : "end";
        return ok(writer.head);
      }
      if (part === "lines") {
        const lines = await nextLines();
        if (lines.isErr()) return lines;
        if (lines.value.length > 0) return ok(lines.value.map(writer.line));
      }
      if (part === "done") return ok([]);
      part = "done";
      return ok(writer.end);
    });
  return next;
}

interface Writer {
  /** Not empty, because an empty part ends the report. */
  readonly head: readonly string[];
  readonly line: (line: BillReportLine) => string;
  /** Not empty, because an empty part ends the report. */
  readonly end: readonly string[];
}

function jsonWriter(report: BillReport, hasLines: boolean): Writer {
  const { exceptions: openExceptions, hasMoreExceptions, isComplete, from, until, ...parts } = report;
  const facts = {
    from,
    until,
    currency: CURRENCY,
    isComplete,
    ...parts,
    openExceptions,
    hasMoreExceptions,
  };
  const text = JSON.stringify(facts);
  let separator = "";
  return {
    head: [hasLines ? `${text.slice(0, -1)},"lines":[` : text],
    line: (line) => {
      const entry = `${separator}\n${JSON.stringify(line)}`;
      separator = ",";
      return entry;
    },
    end: [hasLines ? "\n]}\n" : "\n"],
  };
}

function csvWriter(report: BillReport): Writer {
  const { missingDays, exceptions, hasMoreExceptions, differences } = report;
  return {
    head: [
      CSV_START + csvLine(COLUMNS),
      ...report.days.map((row) => rowText({ record: "day", ...placeOf(row), ...sumsOf(row) })),
      ...report.totals.map((row) => rowText({ record: "total", ...placeOf(row), ...sumsOf(row) })),
      rowText({ record: "total", ...sumsOf(report.total) }),
      ...report.balances.map(({ opening, closing, ...bill }) =>
        rowText({
          record: "balance",
          ...placeOf(bill),
          currency: CURRENCY,
          openingBalance: optionalMoney(opening),
          closingBalance: optionalMoney(closing),
        }),
      ),
    ],
    line: lineText,
    end: [
      ...differences.map((one) =>
        rowText({ record: "difference", ...placeOf(one), note: differenceNote(one) }),
      ),
      ...missingDays.flatMap(({ days, ...merchant }) =>
        days.map((day) =>
          rowText({ record: "missing-day", ...placeOf({ ...merchant, day }), note: NOT_READ }),
        ),
      ),
      ...exceptions.map((one) =>
        rowText({
          record: "open-exception",
          ...placeOf({ ...one, ...(one.order === undefined ? {} : { appId: one.order.appId }) }),
          bizNo: one.order?.bizNo,
          orderId: one.outTradeNo === "" ? undefined : one.outTradeNo,
          refundNo: one.refundNo,
          walletTradeNo: one.walletTradeNo,
          note: `${one.kind} ${one.id}`,
        }),
      ),
      ...(hasMoreExceptions ? [rowText({ record: "open-exception", note: MORE })] : []),
      rowText({
        record: report.isComplete ? "complete" : "not-complete",
        note: report.accounts.length === 0 ? NO_ACCOUNT : undefined,
      }),
    ],
  };
}

const NOT_READ = "The bill of the day was not read.";
const NO_ACCOUNT = "No account matches the filters.";
const MORE = "More exceptions are open.";

function lineText(line: BillReportLine): string {
  const { kind, amount, fee, received, net, state, bizNo, outTradeNo, refundNo, walletTradeNo } = line;
  const isPayment = kind === "payment";
  return rowText({
    record: "line",
    ...placeOf(line),
    bizNo,
    orderId: outTradeNo === "" ? undefined : outTradeNo,
    refundNo,
    walletTradeNo,
    state,
    currency: CURRENCY,
    payments: isPayment ? 1 : 0,
    paymentAmount: money(isPayment ? amount : 0),
    refunds: isPayment ? 0 : 1,
    refundAmount: money(isPayment ? 0 : amount),
    received: optionalMoney(received),
    fees: optionalMoney(fee),
    net: optionalMoney(net),
  });
}

function rowText(cells: Partial<Record<Column, Cell>>): string {
  return csvLine(COLUMNS.map((column) => cells[column]));
}

function placeOf({
  day,
  payChannel,
  accountId,
  appId,
}: Omit<Bill, "day" | "appEnv"> & { readonly day?: string; readonly appId?: string }) {
  return {
    ...(day === undefined ? {} : { day: readable(day) }),
    channel: payChannel,
    account: accountId,
    app: appId,
  };
}

function sumsOf(sums: BillReportSums) {
  return {
    currency: CURRENCY,
    payments: sums.payments,
    paymentAmount: money(sums.paymentAmount),
    refunds: sums.refunds,
    refundAmount: money(sums.refundAmount),
    received: money(sums.received),
    fees: money(sums.fees),
    net: money(sums.net),
  };
}

function differenceNote({ kind, count = 0, sum = 0, stated = 0 }: BillReportDifference): string {
  const notes: Readonly<Record<BillReportDifference["kind"], string>> = {
    unreadable: `Lines of the bill that could not be read: ${count}.`,
    unpriced: `Lines whose fee the bill omits: ${count}.`,
    fees: `The fees of the lines add up to ${signedYuan(sum)}, and the bill states ${signedYuan(stated)}.`,
    exceptions: "Open exceptions of the account may concern the lines of these apps.",
  };
  return notes[kind];
}

function money(cents: number): Readable {
  return readable(signedYuan(cents));
}

function optionalMoney(cents: number | undefined): Readable | undefined {
  return cents === undefined ? undefined : money(cents);
}

function signedYuan(cents: number): string {
  return cents < 0 ? `-${yuanText(-cents)}` : yuanText(cents);
}
