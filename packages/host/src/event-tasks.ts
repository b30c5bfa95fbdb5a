import {
  deliverDueEvents,
  type DeliveryPorts,
  eventHandler,
  type EventHandler,
  type EventHandlerOptions,
  type Observer,
  type StartTimer,
} from "@tillkit/core";
import { okAsync } from "neverthrow";
import type { TaskStep } from "./background.js";
import { LONGEST_TIMER_MS } from "./longest-timer.js";

/** A handler of events: a function with a name, or what `eventHandler` and an adapter create. */
export type HandlerOrOptions = EventHandler | EventHandlerOptions;

/** The number of orders whose events one handler receives at once, by default. */
export const EVENT_BATCH = 20;

/** The pause between two looks for due events, in milliseconds, by default. */
export const EVENTS_EVERY_MS = 5_000;

/** Returns the handler that an option describes. Throws a `TypeError` if its name is not usable. */
export function handlerOf(option: HandlerOrOptions): EventHandler {
  return "deliver" in option ? option : eventHandler(option);
}

/** Returns the name of the background task of a handler. */
export function eventTaskName(handler: Pick<EventHandler, "name">): `events:${string}` {
  return `events:${handler.name}`;
}

/**
 * Creates the step that delivers due events to one handler.
 *
 * The first step registers the handler, so it receives the events from then on.
 */
export function eventStep(ports: DeliveryPorts, handler: EventHandler, limit: number): TaskStep {
  let isRegistered = false;
  return () => {
    const registered = isRegistered
      ? okAsync(undefined)
      : ports.eventDeliveries.registerHandler(handler.name, ports.clock.now());
    return registered
      .andThen(() => {
        isRegistered = true;
        return deliverDueEvents(ports, handler, { limit, startTimer });
      })
      .map(({ orders, failed }) => ({ more: orders === limit && failed < orders }));
  };
}

const startTimer: StartTimer = (ms, run) => {
  const timer = setTimeout(run, Math.min(ms, LONGEST_TIMER_MS));
  return () => clearTimeout(timer);
};

/** Returns an observer that also calls `wake` after each change that can cause an event. */
export function wakeOnChanges(observer: Observer, wake: () => void): Observer {
  return {
    onEvent: (event) => {
      if (event.type === "order.moved" || event.type === "refund.moved" || event.type === "order.alarm")
        wake();
      observer.onEvent(event);
    },
  };
}
