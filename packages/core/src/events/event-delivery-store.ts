import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { OrderKey } from "../orders/order.js";
import type { DueWork } from "../shared/due-work.js";
import type { EventPosition } from "./order-event.js";

/** Identifies the delivery of one order's events to one handler. */
export interface DeliveryKey extends OrderKey {
  /** The name of the handler. */
  readonly handler: string;
}

/** Which events of an order a handler has received, and when the next one is delivered. */
export interface EventDelivery extends DeliveryKey {
  /** The position of the first event that was not delivered yet. */
  readonly next: EventPosition;
  /** The `seq` of the order's last timeline event that causes an event. */
  readonly lastSeq: number;
  /** The number of failed attempts to deliver `next`. */
  readonly tries: number;
  /** Epoch milliseconds. Absent if all events were delivered, or if the delivery is parked. */
  readonly dueAt?: number;
  /** When the attempts were given up, epoch milliseconds. Absent if the delivery is not parked. */
  readonly parkedAt?: number;
  /** Why the last attempt to deliver `next` failed. Absent if none failed. */
  readonly failure?: string;
}

/** A delivery that one worker may continue until `until`. */
export interface ClaimedDelivery extends EventDelivery {
  readonly claimId: string;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** The result of a failed attempt: when to try again, or that the delivery is parked. */
export type FailedDelivery = ({ readonly nextTryAt: number } | { readonly parkedAt: number }) & {
  /** At most 300 characters, without personal data. */
  readonly failure?: string;
};

/** Selects one page of deliveries. The deliveries are sorted by their keys. */
export interface DeliveriesQuery {
  /** Absent: deliveries of every handler. */
  readonly handler?: string | undefined;
  /** `waiting` selects deliveries with undelivered events, including parked deliveries. */
  readonly state: "waiting" | "parked";
  /** The last delivery of the previous page. Absent for the first page. */
  readonly after?: DeliveryKey | undefined;
  readonly limit: number;
}

/**
 * Stores which events of which orders wait for which handlers.
 *
 * The events themselves are the orders' timelines. Every method of `OrderStore` and `RefundStore`
 * that appends a timeline event for which `causesEvent` returns true also adds the event to the
 * order's delivery to every registered handler, in the same transaction. If the delivery has no
 * other undelivered events, it becomes due. A delivery that does not exist yet starts at that
 * event. So a handler receives events from before its registration only if an operator replays
 * them.
 *
 * Times are epoch milliseconds. Every method is one atomic step. The only failure is a
 * {@link StorageFailure}. `eventDeliveryStoreContract` of `@tillkit/contract-tests` tests an
 * implementation.
 */
export interface EventDeliveryStore {
  /** Registers a handler. Has no effect if it is registered already. */
  registerHandler(name: string, at: number): ResultAsync<void, StorageFailure>;
  /** Removes a handler and its deliveries. Returns whether it was registered. */
  removeHandler(name: string): ResultAsync<boolean, StorageFailure>;
  /** Returns the names of the registered handlers, sorted. */
  listHandlers(): ResultAsync<readonly string[], StorageFailure>;
  /**
   * Claims up to `limit` due deliveries of the handler, the longest due first.
   *
   * Concurrent workers never hold a claim on the same delivery. A claim lasts until `now + lease`.
   */
  claimDue(
    handler: string,
    claim: { readonly id: string; readonly now: number; readonly lease: number; readonly limit: number },
  ): ResultAsync<readonly ClaimedDelivery[], StorageFailure>;
  /**
   * Stores that the events before `next` were delivered, and extends the claim.
   *
   * Sets `tries` to 0 and removes `failure`.
   *
   * If the events up to `lastSeq` were delivered, the claim ends, unless a later event was appended
   * meanwhile. Returns the delivery, or `undefined` if the claim is lost: another worker has
   * claimed the delivery, an operator has changed it, or the handler was removed.
   */
  advance(
    delivery: ClaimedDelivery,
    next: EventPosition,
    until: number,
  ): ResultAsync<ClaimedDelivery | EventDelivery | undefined, StorageFailure>;
  /**
   * Stores a failed attempt, and ends the claim.
   *
   * Adds 1 to `tries`. Stores the failure, and when the next attempt is due or that the delivery is
   * parked. Returns false, without effect, if the claim is lost.
   */
  fail(delivery: ClaimedDelivery, result: FailedDelivery): ResultAsync<boolean, StorageFailure>;
  /**
   * Makes the delivery due at `at`, from `next`, with 0 tries and no failure.
   *
   * Ends the claim and the parked state, if any. Creates the delivery if it does not exist. The
   * delivery is not due if `next` is after the events of `lastSeq`. Returns false if the order or
   * the handler does not exist.
   */
  replay(key: DeliveryKey, next: EventPosition, at: number): ResultAsync<boolean, StorageFailure>;
  /** Returns the delivery with this key. */
  find(key: DeliveryKey): ResultAsync<EventDelivery | undefined, StorageFailure>;
  /** Returns one page of deliveries. */
  list(query: DeliveriesQuery): ResultAsync<readonly EventDelivery[], StorageFailure>;
  /** Counts the deliveries that are due at `now`, of all handlers. Stops counting at `atMost`. */
  dueSince(now: number, atMost: number): ResultAsync<DueWork, StorageFailure>;
  /** Counts the parked deliveries of all handlers. Stops counting at `atMost`. */
  parkedSince(atMost: number): ResultAsync<DueWork, StorageFailure>;
  /**
   * Removes up to `limit` deliveries whose events were all delivered and are all older than
   * `before`.
   *
   * The next event of the order creates the delivery again, and the delivery starts at this event.
   * Returns the number of removed deliveries.
   */
  removeDelivered(before: number, limit: number): ResultAsync<number, StorageFailure>;
}
