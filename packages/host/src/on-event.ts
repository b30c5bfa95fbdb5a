import type { DeliveryPorts } from "@tillkit/core";
import { valueOrTimeout } from "@tillkit/runtime";
import type { AroundStep } from "./around-step.js";
import { startTask } from "./background.js";
import { EVENT_BATCH, eventStep, eventTaskName, handlerOf, type HandlerOrOptions } from "./event-tasks.js";
import { reportStep } from "./report-step.js";

/** The options of {@link onEvent}. */
export interface OnEventOptions {
  /** The pause between two searches for due events, in milliseconds. Defaults to 1,000. */
  readonly everyMs?: number;
  /**
   * The number of orders whose events the handler receives concurrently in this process. Defaults
   * to 20.
   */
  readonly batch?: number;
  /** Runs each round, as `background.aroundStep` of `createTillkit` does. */
  readonly aroundStep?: AroundStep;
}

/** A handler that receives events. */
export interface RunningHandler {
  /** Delivers the due events now, or after the current round, until none is due. */
  runNow(): Promise<void>;
  /**
   * Ends after the current round. Another process, or the next start, delivers the remaining
   * events.
   *
   * @param timeoutMs - how long to wait. Defaults to 20,000.
   * @returns whether the round has ended. Ending the process is safe in both cases.
   */
  stop(timeoutMs?: number): Promise<boolean>;
}

/**
 * Delivers each event of orders to a handler at least once, and each order's events in sequence.
 *
 * For a host that does not use `createTillkit`. (`createTillkit` has the option `eventHandlers`.)
 * The handler receives the events from its first start on. Any number of processes may start the
 * same handler: at any time, at most one of them handles the events of an order.
 *
 * @returns the running handler. Call its `stop` before the storage is closed.
 * @throws TypeError if the name of the handler or the pause is not usable.
 * @example
 * ```ts
 * import { onEvent } from "@tillkit/host";
 *
 * const mailer = onEvent(ports, {
 *   name: "mailer",
 *   types: ["order.paid"],
 *   handle: async (event) => console.log(`${event.bizNo} is paid`),
 * });
 * process.once("SIGTERM", () => void mailer.stop());
 * ```
 */
export function onEvent(
  ports: DeliveryPorts,
  handler: HandlerOrOptions,
  { everyMs = 1_000, batch = EVENT_BATCH, ...around }: OnEventOptions = {},
): RunningHandler {
  const checked = handlerOf(handler);
  const task = { step: eventStep(ports, checked, batch), everyMs };
  const loop = startTask(ports, eventTaskName(checked), task, (ended) => reportStep(ports, ended), around);
  loop.wake();
  return {
    runNow: () => loop.runNow(),
    stop: async (timeoutMs = 20_000) =>
      (await valueOrTimeout(
        loop.stop().then(() => true),
        timeoutMs,
      )) === true,
  };
}
