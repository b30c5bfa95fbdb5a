import { ok, type ResultAsync } from "neverthrow";
import { lastBillDay } from "../bills/bill-day.js";
import type { BillExceptionPosition } from "../bills/bill-exception-store.js";
import type { Bill } from "../bills/bill.js";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { dayNumber, daysAfter } from "../shared/date.js";
import { type MissingBillDayPorts, missingDaysOf } from "./list-missing-bill-days.js";
import { firstKeptDay, hasBill, readComparedBills } from "./outdated-bill-days.js";

/** The ports that {@link listBillsToRepeat} uses. */
export type BillsToRepeatPorts = Omit<MissingBillDayPorts, "policy">;

/** How many days before the last ended day are searched for bills that were not compared. */
const MISSED_DAYS = 7;

/** How many days before the last ended day are searched for bills without a fund-flow bill. */
const FLOW_DAYS = 2;

/** The largest number of bills of each kind that {@link listBillsToRepeat} returns. */
const MOST_OF_A_KIND = 100;

/** The number of exceptions that are in memory at once. */
const PAGE = 100;

/**
 * Lists the bills whose comparison must be made or repeated, so that the reports follow the wallet.
 *
 * The bills of the last ended day are not listed: the daily comparison reads them. At most 100 of
 * each kind, in this order:
 *
 * | Bills | Number of days before that day |
 * | --- | --- |
 * | that have lost a line, or about whose lost line a person has decided | 91 |
 * | that were not compared, for example because the wallet was down; not of DEV accounts | 7 |
 * | whose fund-flow bill was not read | 2 |
 *
 * @returns the bills, each once. The missed days of an account begin with the newest.
 * @example
 * ```ts
 * import { listBillsToRepeat } from "@tillkit/core";
 *
 * const bills = await listBillsToRepeat(ports);
 * if (bills.isOk()) console.log(bills.value.length);
 * ```
 */
export function listBillsToRepeat(ports: BillsToRepeatPorts): ResultAsync<readonly Bill[], StorageFailure> {
  return attempt(async () => {
    const lastDay = lastBillDay(ports.clock.now());
    const until = daysAfter(lastDay, -1);
    const from = firstKeptDay(lastDay);
    const comparison = await readComparedBills(ports, from, until);
    if (comparison.isErr()) return comparison;
    const { compared, outdated } = comparison.value;
    const incomplete = await billsWithLostLines(ports, from, until);
    if (incomplete.isErr()) return incomplete;
    const missed = await missedBills(ports, compared, until);
    if (missed.isErr()) return missed;
    const withoutFlow = await billsWithoutFlow(ports, until);
    if (withoutFlow.isErr()) return withoutFlow;
    const kinds = [[...outdated, ...incomplete.value], missed.value, withoutFlow.value];
    const bills = new Map<string, Bill>();
    for (const kind of kinds)
      for (const { day, payChannel, appEnv, accountId } of kind.slice(0, MOST_OF_A_KIND)) {
        const bill: Bill = { day, payChannel, appEnv, accountId };
        bills.set(JSON.stringify(bill), bill);
      }
    return ok([...bills.values()]);
  });
}

/** Returns the bills of the last days of which no comparison was recorded, the newest first. */
function missedBills(
  ports: BillsToRepeatPorts,
  comparisons: readonly Bill[],
  until: string,
): ResultAsync<readonly Bill[], StorageFailure> {
  return attempt(async () => {
    const tools = await ports.payTools.listAll();
    if (tools.isErr()) return tools;
    const from = daysAfter(until, 1 - MISSED_DAYS);
    const done = comparisons.filter(({ day }) => day >= from);
    const covers = ({ appEnv }: Pick<Bill, "appEnv">) => appEnv !== "DEV";
    const missing = await missingDaysOf(ports, tools.value, { from, until, done, covers });
    return missing.map((accounts) =>
      accounts
        .flatMap(({ days, ...merchant }) => days.map((day) => ({ ...merchant, day })))
        .sort((left, right) => (dayNumber(right.day) ?? 0) - (dayNumber(left.day) ?? 0)),
    );
  });
}

/**
 * Returns the kept bills of the last days without balances, which only a fund-flow bill states.
 *
 * An account that may not download fund-flow bills never has them.
 */
function billsWithoutFlow(
  { keptBills }: Pick<Ports, "keptBills">,
  until: string,
): ResultAsync<readonly Bill[], StorageFailure> {
  return keptBills
    .list(daysAfter(until, 1 - FLOW_DAYS), until)
    .map((bills) => bills.filter(({ lines, closing }) => lines > 0 && closing === undefined));
}

/** Returns the bills with an open LINE_MISSING exception of a range of days. */
function billsWithLostLines(
  { billExceptions }: Pick<Ports, "billExceptions">,
  from: string,
  until: string,
): ResultAsync<readonly Bill[], StorageFailure> {
  return attempt(async () => {
    const query = { state: "OPEN", kind: "LINE_MISSING", limit: PAGE } as const;
    const bills: Bill[] = [];
    let before: BillExceptionPosition | undefined;
    do {
      const page = await billExceptions.list({ ...query, before });
      if (page.isErr()) return page;
      for (const one of page.value.items)
        if (one.day >= from && one.day <= until && !hasBill(bills, one)) bills.push(one);
      before = page.value.next;
    } while (before !== undefined && bills.length < MOST_OF_A_KIND);
    return ok(bills);
  });
}
