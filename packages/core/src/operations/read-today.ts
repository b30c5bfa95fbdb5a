import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { listNotMade } from "../refund-approvals/list-not-made.js";
import { attempt } from "../shared/attempt.js";
import { businessDay } from "../shared/business-day.js";
import type { HourOfOrders, PendingOrders, Sales } from "./order-search.js";

const HOUR = 60 * 60 * 1_000;
const WEEK = 7 * 24 * HOUR;
/** Counting the approved refunds that could not be made stops at this count. */
export const MAX_NOT_MADE = 100;

/** The figures of the present business day, from its start until now. */
export interface Today {
  /** When the figures were read, epoch milliseconds. */
  readonly at: number;
  /** The business day, `YYYY-MM-DD`. */
  readonly date: string;
  /** The start of the business day, epoch milliseconds. */
  readonly startsAt: number;
  /** The payments and refunds since the start of the day. */
  readonly sales: readonly Sales[];
  /** The payments and refunds of the same weekday a week ago, until the same time of day. */
  readonly salesBefore: readonly Sales[];
  /** The orders created in each hour of the day until now. An hour without orders has zeros. */
  readonly hours: readonly HourOfOrders[];
  readonly pending: PendingOrders;
  /** The number of orders with an open alarm, up to the limit of the call. */
  readonly alarms: number;
  /**
   * The number of approved refunds that could not be made, up to 100.
   *
   * A refund counts until an operator acknowledges the alarm about it.
   */
  readonly notMade: number;
}

/**
 * Reads the figures of the present business day for operators.
 *
 * @param apps - the apps that the operator sees. `undefined`: every app.
 * @param atMost - the highest number up to which pending orders and alarms are counted.
 * @returns the figures.
 * @example
 * ```ts
 * import { readToday } from "@tillkit/core/operators";
 *
 * const today = await readToday(ports, ["app_1"]);
 * if (today.isOk()) console.log(today.value.sales);
 * ```
 */
export function readToday(
  ports: Pick<Ports, "orderSearch" | "orders" | "refundApprovals" | "clock" | "policy">,
  apps: readonly string[] | undefined,
  atMost = 1_000,
): ResultAsync<Today, StorageFailure> {
  return attempt(async () => {
    const at = ports.clock.now();
    const { timeZone } = ports.policy;
    const { date, startsAt } = businessDay(timeZone, at);
    const { startsAt: weekBefore } = businessDay(timeZone, startsAt - WEEK);
    const day = { apps, from: startsAt, until: at + 1 };
    const sales = await ports.orderSearch.sales(day);
    if (sales.isErr()) return sales;
    const weekAgo = { apps, from: weekBefore, until: weekBefore + (at + 1 - startsAt) };
    const salesBefore = await ports.orderSearch.sales(weekAgo);
    if (salesBefore.isErr()) return salesBefore;
    const hours = await ports.orderSearch.hours(day);
    if (hours.isErr()) return hours;
    const pending = await ports.orderSearch.pending(apps, atMost);
    if (pending.isErr()) return pending;
    const alarms = await ports.orderSearch.alarms(apps, atMost);
    if (alarms.isErr()) return alarms;
    const notMade = await listNotMade(ports, { states: ["APPROVED"], apps, limit: MAX_NOT_MADE });
    if (notMade.isErr()) return notMade;
    return ok({
      at,
      date,
      startsAt,
      sales: sales.value,
      salesBefore: salesBefore.value,
      hours: everyHour(hours.value, startsAt, at),
      pending: pending.value,
      alarms: alarms.value.length,
      notMade: notMade.value.length,
    });
  });
}

/** Returns each hour from `from` until the one that contains `at`. */
function everyHour(hours: readonly HourOfOrders[], from: number, at: number): readonly HourOfOrders[] {
  const byStart = new Map(hours.map((hour) => [hour.start, hour]));
  const count = Math.floor((at - from) / HOUR) + 1;
  return Array.from({ length: count }, (_, nth) => {
    const start = from + nth * HOUR;
    return byStart.get(start) ?? { start, created: 0, paid: 0 };
  });
}
