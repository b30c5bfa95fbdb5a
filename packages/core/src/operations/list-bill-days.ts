import { ok, type ResultAsync } from "neverthrow";
import type * as z from "zod";
import {
  type Bill,
  type BilledMerchant,
  billedMerchants,
  isSameBilledMerchant,
  type Merchant,
} from "../bills/bill.js";
import { lastBillDay } from "../bills/bill-day.js";
import type { BillExceptionCount, ComparedBill } from "../bills/compared-bill.js";
import type { StorageFailure } from "../errors/failure.js";
import type { PayTool } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { dateText, DAY, dayNumber } from "../shared/date.js";
import { dayRangeInput } from "../shared/day-range.js";
import { lazySchema } from "../shared/input.js";
import { hasBill, MAX_BILL_DAYS, readComparedBills } from "./outdated-bill-days.js";

/** The parameters of {@link listBillDays}: at most 92 days. */
export const listBillDaysInput = lazySchema(() => dayRangeInput(MAX_BILL_DAYS).brand<"ListBillDaysInput">());
/** Valid parameters, the output of `parseInput(listBillDaysInput(), …)`. */
export type ListBillDaysInput = z.output<ReturnType<typeof listBillDaysInput>>;

/** One day of one merchant account, and what the comparison of its bills found. */
export interface BillDay extends Bill {
  /**
   * Whether Tillkit compared the whole trade bill.
   *
   * False again after an operator's decision that takes effect only with the next comparison.
   */
  readonly compared: boolean;
  /** The number of lines of the trade bill that equal a stored payment or refund. */
  readonly matched: number;
  /** The number of exceptions that need an operator. */
  readonly open: number;
  /** The number of exceptions that an operator has resolved. */
  readonly resolved: number;
  /** The fees of the day, in cents. Absent if no bill states them. */
  readonly fees?: number;
}

/**
 * Lists the days of merchant accounts and what the comparison of their bills found.
 *
 * Contains each day that has ended since the account was set up, also if no bill was compared.
 *
 * @param seesApp - returns whether the reader may see an app. The list contains only the accounts
 *   all of whose pay tools belong to such apps, because a bill covers every app of its account.
 * @returns the days, newest first.
 * @example
 * ```ts
 * import { parseInput } from "@tillkit/core";
 * import { listBillDays, listBillDaysInput } from "@tillkit/core/operators";
 *
 * const range = { from: "2026-01-01", until: "2026-01-31" };
 * const days = await parseInput(listBillDaysInput(), range).asyncAndThen((input) =>
 *   listBillDays(ports, input, () => true),
 * );
 * ```
 */
export function listBillDays(
  ports: Pick<Ports, "billExceptions" | "keptBills" | "payTools" | "clock">,
  { from, until }: ListBillDaysInput,
  seesApp: (appId: string) => boolean,
): ResultAsync<readonly BillDay[], StorageFailure> {
  return attempt(async () => {
    const tools = await ports.payTools.listAll();
    if (tools.isErr()) return tools;
    const comparison = await readComparedBills(ports, from, until);
    if (comparison.isErr()) return comparison;
    const { compared, counted, outdated } = comparison.value;
    const lastDay = lastBillDay(ports.clock.now());
    const days = visibleMerchants(tools.value, seesApp).flatMap(({ merchant, since }) => {
      const results = resultsOf(merchant, compared, counted);
      const wholeDays = daysBetween(laterOf(from, since), until < lastDay ? until : lastDay);
      return [...new Set([...wholeDays, ...results.keys()])].map((day) => ({
        ...merchant,
        day,
        compared: false,
        matched: 0,
        open: 0,
        resolved: 0,
        ...results.get(day),
        ...(hasBill(outdated, { ...merchant, day }) ? { compared: false } : {}),
      }));
    });
    return ok(days.toSorted(newestFirst));
  });
}

interface VisibleMerchant {
  readonly merchant: Merchant;
  /** The day in China on which the first pay tool of the merchant was created. */
  readonly since: string;
}

function visibleMerchants(
  tools: readonly PayTool[],
  seesApp: (appId: string) => boolean,
): readonly VisibleMerchant[] {
  return billedMerchants(tools).flatMap((billed) => {
    const theirs = tools.filter(({ id }) => billed.payToolIds.includes(id));
    if (!theirs.every(({ appId }) => seesApp(appId))) return [];
    return [{ merchant: billed.merchant, since: setUpOn(billed, tools) }];
  });
}

/** Returns the day in China on which the first pay tool of a merchant account was created. */
export function setUpOn({ payToolIds }: BilledMerchant, tools: readonly PayTool[]): string {
  const theirs = tools.filter(({ id }) => payToolIds.includes(id));
  return lastBillDay(Math.min(...theirs.map(({ gmtCreate }) => gmtCreate)) + DAY);
}

/** Returns what is stored about the bills of a merchant, by day. */
function resultsOf(
  merchant: Merchant,
  bills: readonly ComparedBill[],
  counts: readonly BillExceptionCount[],
): ReadonlyMap<string, Partial<BillDay>> {
  const results = new Map<string, Partial<BillDay>>();
  const add = (day: string, facts: Partial<BillDay>) => results.set(day, { ...results.get(day), ...facts });
  for (const { day, matched, fees, ...bill } of bills)
    if (isSameBilledMerchant(merchant, bill))
      add(day, { compared: true, matched, ...(fees === undefined ? {} : { fees }) });
  for (const { day, open, resolved, ...bill } of counts)
    if (isSameBilledMerchant(merchant, bill)) add(day, { open, resolved });
  return results;
}

/** Returns the later of two days, `YYYY-MM-DD`. */
export function laterOf(left: string, right: string): string {
  return left > right ? left : right;
}

/** Returns the days from `from` to `until`, including both, the oldest first. */
export function daysBetween(from: string, until: string): readonly string[] {
  const [first, last] = [dayNumber(from) ?? 0, dayNumber(until) ?? -1];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => dateText((first + index) * DAY));
}

function newestFirst(left: BillDay, right: BillDay): number {
  return (
    compareText(right.day, left.day) ||
    compareText(left.payChannel, right.payChannel) ||
    compareText(left.accountId, right.accountId) ||
    compareText(left.appEnv, right.appEnv)
  );
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
