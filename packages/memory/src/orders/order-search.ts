import type { Order, OrderKey, TimelineEvent } from "@tillkit/core";
import {
  causesEvent,
  type EventEntry,
  type FoundOrder,
  openAlarms,
  type OrderFilter,
  type OrderSearch,
  type Sales,
  type SummaryRange,
} from "@tillkit/core/ports";
import {
  compareText,
  compositeKey,
  getOrCreate,
  type MemoryState,
  type StoredOrder,
} from "../state/memory-state.js";
import { runAtomically } from "../state/run-atomically.js";

const HOUR = 3_600_000;

/** Creates an `OrderSearch` in memory. */
export function memoryOrderSearch(state: MemoryState): OrderSearch {
  const all = () => [...state.orders.values()];
  const selected = (filter: OrderFilter) => all().filter((one) => matches(one, filter));
  return {
    list: ({ before, limit, ...filter }) =>
      runAtomically(() => {
        const older = selected(filter)
          .filter(({ order }) => before === undefined || newestFirst(before, order) < 0)
          .sort((left, right) => newestFirst(left.order, right.order));
        const items = older.slice(0, limit).map(found);
        const last = older.length > limit ? items.at(-1)?.order : undefined;
        return { items, ...(last === undefined ? {} : { next: { gmtCreate: last.gmtCreate, id: last.id } }) };
      }),
    count: (filter, atMost) =>
      runAtomically(() => {
        const count = selected(filter).length;
        return { count: Math.min(count, atMost), isLeast: count > atMost };
      }),
    lookUp: (text, apps, limit) =>
      runAtomically(() =>
        selected({ apps })
          .filter(({ order: { bizNo, id, walletTradeNo, customerIdentity } }) =>
            [bizNo, id, walletTradeNo, customerIdentity].includes(text),
          )
          .sort((left, right) => newestFirst(left.order, right.order))
          .slice(0, limit)
          .map(found),
      ),
    alarms: (apps, limit) =>
      runAtomically(() =>
        selected({ apps, withAlarm: true })
          .flatMap(({ order: { appId, bizNo }, timeline }) =>
            openAlarms(timeline)
              .slice(-1)
              .map(({ seq, type, at, refundNo }) => {
                const alarm = { appId, bizNo, seq, type, at };
                return refundNo === undefined ? alarm : { ...alarm, refundNo };
              }),
          )
          .sort((left, right) => right.at - left.at || byKey(left, right))
          .slice(0, limit),
      ),
    events: ({ apps, from, limit }) =>
      runAtomically(() => {
        const later = selected({ apps })
          .flatMap(({ order, timeline }) =>
            timeline
              .filter((entry) => entry.at >= from && causesEvent(entry))
              .map((entry) => eventEntry(order, entry)),
          )
          .sort((left, right) => left.at - right.at || byKey(left, right) || left.seq - right.seq);
        const last = later.length > limit ? later[limit - 1] : undefined;
        const items = later.slice(0, limit);
        return last === undefined ? { items } : { items, next: last.at };
      }),
    sales: (range) => runAtomically(() => salesOf(all(), range)),
    hours: ({ apps, from, until }) =>
      runAtomically(() => {
        const hours = new Map<number, { start: number; created: number; paid: number }>();
        for (const { order } of selected({ apps, from, until })) {
          const start = from + Math.floor((order.gmtCreate - from) / HOUR) * HOUR;
          const hour = getOrCreate(hours, start, () => ({ start, created: 0, paid: 0 }));
          hour.created += 1;
          if (order.pmtDt !== undefined) hour.paid += 1;
        }
        return [...hours.values()].sort((left, right) => left.start - right.start);
      }),
    pending: (apps, atMost) =>
      runAtomically(() => {
        const waiting = selected({ apps, paymentStatus: "PENDING" })
          .map(({ order }) => order)
          .filter(({ payToolId }) => payToolId !== "")
          .sort((left, right) => newestFirst(right, left));
        const [oldest] = waiting;
        return { count: Math.min(waiting.length, atMost), ...(oldest === undefined ? {} : { oldest }) };
      }),
  };
}

function eventEntry(
  { appId, bizNo, id: orderId, service }: Order,
  { seq, type, at, alarm, refundNo }: TimelineEvent,
): EventEntry {
  const entry = { appId, bizNo, orderId, hasService: service !== undefined, seq, type, at, alarm };
  return refundNo === undefined ? entry : { ...entry, refundNo };
}

function found({ order, timeline }: StoredOrder): FoundOrder {
  return { order, hasAlarm: openAlarms(timeline).length > 0 };
}

function matches({ order, timeline }: StoredOrder, filter: OrderFilter): boolean {
  const { apps, from = 0, until = Infinity, minAmount = 0, maxAmount = Infinity, withAlarm } = filter;
  const { paidFrom, paidUntil = Infinity } = filter;
  const isOfPayments = paidFrom !== undefined || filter.paidUntil !== undefined;
  const equal = ["paymentStatus", "payChannel", "customerIdentity"] as const;
  return (
    (apps?.includes(order.appId) ?? true) &&
    equal.every((name) => filter[name] === undefined || filter[name] === order[name]) &&
    from <= order.gmtCreate &&
    order.gmtCreate < until &&
    minAmount <= order.amount &&
    order.amount <= maxAmount &&
    (!isOfPayments ||
      (order.pmtDt !== undefined && (paidFrom ?? 0) <= order.pmtDt && order.pmtDt < paidUntil)) &&
    (withAlarm !== true || openAlarms(timeline).length > 0)
  );
}

function salesOf(stored: readonly StoredOrder[], { apps, from, until }: SummaryRange): readonly Sales[] {
  const isWithin = (at: number | undefined) => at !== undefined && from <= at && at < until;
  const sums = new Map<string, { -readonly [M in keyof Sales]: Sales[M] }>();
  const sumOf = ({ appId, payChannel }: Order) =>
    getOrCreate(sums, compositeKey(appId, payChannel), () => ({
      appId,
      payChannel,
      payments: 0,
      taken: 0,
      refunds: 0,
      refunded: 0,
    }));
  for (const { order, refunds } of stored) {
    if (apps?.includes(order.appId) === false) continue;
    if (isWithin(order.pmtDt)) {
      const sum = sumOf(order);
      sum.payments += 1;
      sum.taken += order.amount;
    }
    for (const refund of refunds.values()) {
      if (refund.status !== "CONFIRMED" || !isWithin(refund.gmtModified)) continue;
      const sum = sumOf(order);
      sum.refunds += 1;
      sum.refunded += refund.amount;
    }
  }
  return [...sums.values()].sort(
    (left, right) => compareText(left.appId, right.appId) || compareText(left.payChannel, right.payChannel),
  );
}

function newestFirst(left: Pick<Order, "gmtCreate" | "id">, right: Pick<Order, "gmtCreate" | "id">): number {
  return right.gmtCreate - left.gmtCreate || compareText(right.id, left.id);
}

function byKey(left: OrderKey, right: OrderKey): number {
  return compareText(left.bizNo, right.bizNo) || compareText(left.appId, right.appId);
}
