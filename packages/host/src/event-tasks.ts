import {
  deliverDueEvents,
  type DeliveryPorts,
  eventHandler,
  type EventHandler,
  type EventHandlerOptions,
  type Observer,
  type StartTimer,
} from "@tillkit/core";
import { LONGEST_TIMER_MS } from "@tillkit/runtime";
import { errAsync, okAsync, type ResultAsync } from "neverthrow";
import type { TaskFailure, TaskStep } from "./task.js";

/** A handler of events: a function with a name, or a handler from `eventHandler` or an adapter. */
export type HandlerOrOptions = EventHandler | EventHandlerOptions;

/** The default number of orders whose events one handler receives concurrently. */
export const EVENT_BATCH = 20;

/** The default pause between two searches for due events, in milliseconds. */
export const EVENTS_EVERY_MS = 5_000;

/** Returns the handler that an option describes. Throws a `TypeError` if its name is not usable. */
export function handlerOf(option: HandlerOrOptions): EventHandler {
  return "deliver" in option ? option : eventHandler(option);
}

/** Returns the name of the background task of a handler. */
export function eventTaskName(handler: Pick<EventHandler, "name">): `events:${string}` {
  return `events:${handler.name}`;
}

/** How often a host checks that its handler is still registered, in milliseconds. */
const CHECK_EVERY_MS = 60_000;

/**
 * Creates the step that delivers due events to one handler.
 *
 * The first step registers the handler, which then receives all later events. If an operator
 * removes the handler while this process runs, the steps fail with `event-handler.removed` after at
 * most a minute. The handler receives nothing until a process with the handler starts.
 */
export function eventStep(ports: DeliveryPorts, handler: EventHandler, batch: number): TaskStep {
  const limit = Math.min(batch, handler.maxConcurrent ?? batch);
  let checkedAt: number | undefined;
  const checkRegistration = (): ResultAsync<unknown, TaskFailure> => {
    const now = ports.clock.now();
    const { eventDeliveries } = ports;
    if (checkedAt === undefined)
      return eventDeliveries.registerHandler(handler.name, now).map(() => {
        checkedAt = now;
      });
    // The clock may go back.
    if (Math.abs(now - checkedAt) < CHECK_EVERY_MS) return okAsync(undefined);
    return eventDeliveries.listHandlers().andThen((names) => {
      if (!names.includes(handler.name)) return errAsync({ name: "event-handler.removed" });
      checkedAt = now;
      return okAsync(undefined);
    });
  };
  return () =>
    checkRegistration()
      .andThen(() => deliverDueEvents(ports, handler, { limit, startTimer }))
      .andThen(({ orders, failed, failure }) =>
        failure === undefined ? okAsync({ more: orders === limit && failed < orders }) : errAsync(failure),
      );
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
