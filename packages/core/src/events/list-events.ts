import { okAsync, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { EventEntry } from "../operations/order-search.js";
import type { OrderKey } from "../orders/order.js";
import type { Ports } from "../ports.js";
import { eventTypesOf } from "./causes-event.js";
import type { OrderEventType } from "./order-event.js";

/** An event in a list for operators. */
export interface ListedEvent extends OrderKey {
  /** The id with which handlers receive the event. */
  readonly id: string;
  readonly type: OrderEventType;
  /** When the order changed, epoch milliseconds. */
  readonly at: number;
  /** The type of the timeline entry that caused the event. */
  readonly cause: string;
  /** The number of the refund. Absent if the event is not about a refund. */
  readonly refundNo?: string;
}

/** The result of {@link listEvents}: events from a time on, oldest first. */
export interface ListedEvents {
  readonly items: readonly ListedEvent[];
  /** Whether there are more events from `until` on. */
  readonly hasMore: boolean;
  /** The time up to which `items` has the events, epoch milliseconds. */
  readonly until: number;
}

/** The longest time from the `at` of an entry until reads return the entry, in milliseconds. */
export const EVENT_DELAY = 10_000;

/**
 * Lists the events of all orders from a time on, for a reader that follows new events.
 *
 * To follow new events, call this function again with the returned `until` as `from`. If `hasMore`
 * is false, begin {@link EVENT_DELAY} before `until`, and skip the events whose `id` you know
 * already: reads return an entry only a moment after its time. The cost grows only with the events
 * since `from`.
 *
 * @param query - `from`: epoch milliseconds. Without `from`, the list is empty, and `until` is now.
 *   `apps`: absent for every app. `limit`: the maximum number of timeline entries. Each entry has 1
 *   to 3 events.
 * @returns the events, and `until`, the `from` of the next call.
 * @example
 * ```ts
 * import { listEvents } from "@tillkit/core/operators";
 * import { aShop } from "@tillkit/memory";
 *
 * const shop = await aShop();
 * const { order } = await shop.placeOrder();
 * await shop.wallets.WALLET_A.notify(order);
 * const listed = await listEvents(shop.ports, { from: 0, limit: 100 });
 * if (listed.isOk()) for (const { type, bizNo } of listed.value.items) console.log(type, bizNo);
 * ```
 */
export function listEvents(
  { orderSearch, clock }: Pick<Ports, "orderSearch" | "clock">,
  query: {
    readonly apps?: readonly string[] | undefined;
    readonly from?: number | undefined;
    readonly limit: number;
  },
): ResultAsync<ListedEvents, StorageFailure> {
  const now = clock.now();
  const { apps, from, limit } = query;
  if (from === undefined) return okAsync({ items: [], hasMore: false, until: now });
  return orderSearch.events({ apps, from, limit }).map(({ items, next }) => {
    const events = items.flatMap(eventsOf);
    if (next === undefined) return { items: events, hasMore: false, until: now };
    // If more than `limit` entries have one millisecond, `next` equals `from`, and every later call
    // would read the same entries again. So the other entries of this millisecond are skipped.
    return { items: events, hasMore: true, until: next > from ? next : from + 1 };
  });
}

function eventsOf({ orderId, hasService, seq, ...entry }: EventEntry): readonly ListedEvent[] {
  const { type: cause, at, appId, bizNo, refundNo } = entry;
  return eventTypesOf(entry, hasService).map((type, index) => ({
    id: `${orderId}-${String(seq)}-${String(index)}`,
    type,
    at,
    appId,
    bizNo,
    cause,
    ...(refundNo === undefined ? {} : { refundNo }),
  }));
}
