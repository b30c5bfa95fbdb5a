import { ok, type Result } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { ClaimedDelivery, EventDelivery, EventDeliveryStore } from "./event-delivery-store.js";
import { checkedHandlerName } from "./event-handler-name.js";
import type { EventPosition, OrderEvent, OrderEventType } from "./order-event.js";

/** The result of `EventDeliveryStore.advance`: `undefined` if the claim is lost. */
export type Advanced = ClaimedDelivery | EventDelivery | undefined;

/** One attempt to deliver one event, with the arguments of `EventDeliveryStore.advance`. */
export interface DeliveryAttempt {
  /** Aborts at the deadline of the attempt. The handler must then end without effects. */
  readonly signal: AbortSignal;
  readonly eventDeliveries: EventDeliveryStore;
  readonly delivery: ClaimedDelivery;
  /** The position after the event. */
  readonly next: EventPosition;
  /** Until when `advance` extends the claim, epoch milliseconds. */
  readonly until: number;
}

/** Receives the events of orders. {@link eventHandler} creates one from a function. */
export interface EventHandler {
  /** Identifies the handler in storage: 1 to 64 letters, digits, `.`, `_` and `-`. */
  readonly name: string;
  /**
   * The types of the events that the handler receives. By default all types.
   *
   * A process passes over all other events, also if another process has a handler of this name
   * with further types, as during a restart. So add another handler for a further type.
   */
  readonly types?: readonly OrderEventType[] | undefined;
  /**
   * The largest number of orders whose events one process handles at once. By default, the host
   * decides.
   */
  readonly maxConcurrent?: number | undefined;
  /**
   * Handles one event and then advances its delivery, or does both in one transaction.
   *
   * Returns the result of `advance`. Rejects or throws if the event was not handled. Tillkit then
   * delivers the event again later.
   */
  deliver(event: OrderEvent, attempt: DeliveryAttempt): PromiseLike<Result<Advanced, StorageFailure>>;
}

/** What a handler function receives beside the event. */
export interface HandlerContext {
  /** Aborts when the time for the event is over: pass it to `fetch`. */
  readonly signal: AbortSignal;
}

/** A handler as a function. */
export interface EventHandlerOptions extends Pick<EventHandler, "name" | "types"> {
  /**
   * Handles one event. If it throws or rejects, the event is delivered again later.
   *
   * An event can arrive more than once, always with the same `id`.
   */
  readonly handle: (event: OrderEvent, context: HandlerContext) => Promise<unknown>;
}

/**
 * Creates a handler that calls `handle` for each event, and then advances the delivery.
 *
 * If the process dies before the delivery advances, the event is delivered again with the same
 * `id`.
 *
 * @returns the handler, for `createTillkit` or `onEvent` of `@tillkit/host`.
 * @throws TypeError if the name is not valid.
 * @example
 * ```ts
 * import { eventHandler } from "@tillkit/core";
 *
 * const mailer = eventHandler({
 *   name: "mailer",
 *   types: ["order.paid"],
 *   handle: async (event) => console.log(event.id, event.bizNo),
 * });
 * ```
 */
export function eventHandler({ name, types, handle }: EventHandlerOptions): EventHandler {
  return {
    name: checkedHandlerName(name),
    types,
    deliver: async (event, { signal, eventDeliveries, delivery, next, until }) => {
      await handle(event, { signal });
      // After the deadline, the attempt has failed already.
      return signal.aborted ? ok(undefined) : eventDeliveries.advance(delivery, next, until);
    },
  };
}
