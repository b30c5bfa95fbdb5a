import {
  checkCredentialExpiry,
  type EventHandler,
  newTraceId,
  type Ports,
  reconcileOrders,
  runHousekeeping,
} from "@tillkit/core";
import { type AroundStep, plainStep } from "./around-step.js";
import { dailyBills, type TimeOfDay } from "./daily-bills.js";
import { EVENT_BATCH, EVENTS_EVERY_MS, eventStep, eventTaskName } from "./event-tasks.js";
import { type Loop, startLoop, type StepResult } from "./loop.js";
import type { OwnTask, TaskFailure, TaskStep } from "./task.js";

/** The background tasks of every host. */
export const BACKGROUND_TASKS = ["reconcile", "housekeeping", "credentials", "bills"] as const;
/** The name of one of the background tasks of every host. */
export type BackgroundTask = (typeof BACKGROUND_TASKS)[number];

/** When the background tasks run. Each pause is in milliseconds. */
export interface BackgroundOptions {
  /** The pause between rounds that reconcile open orders and refunds. Defaults to 5 s. */
  readonly reconcileEveryMs?: number;
  /** The maximum number of orders, and of refunds, in one round. Defaults to 20. */
  readonly reconcileBatch?: number;
  /** The pause between removals of expired records. Defaults to 10 minutes. */
  readonly housekeepingEveryMs?: number;
  /** The pause between checks of the expiry of wallet credentials. Defaults to an hour. */
  readonly credentialsEveryMs?: number;
  /**
   * Times of the day in China at which the bills of the day before are compared, in ascending
   * order.
   *
   * Defaults to `["10:30", "12:00"]`. One process does each comparison. An empty list turns the
   * comparison off.
   */
  readonly billsAt?: readonly TimeOfDay[];
  /**
   * The pause between two searches for due events of each event handler. Defaults to 5 s.
   *
   * A change that this process makes starts a search at once. The pause applies to the changes of
   * other processes and to retries.
   */
  readonly eventsEveryMs?: number;
  /**
   * The number of orders whose events one handler receives concurrently in each process. Defaults
   * to 20.
   */
  readonly eventBatch?: number;
  /** The pause between two checks of whether an alert is due. Defaults to 10 s. */
  readonly alertsEveryMs?: number;
  /** Runs each step of each task, for example `traceSteps()` of `@tillkit/opentelemetry`. */
  readonly aroundStep?: AroundStep;
  /** Wraps the ports of the tasks, for example `tracePorts` of `@tillkit/opentelemetry`. */
  readonly wrapPorts?: (ports: Ports) => Ports;
  /**
   * Tasks of your own, by name. `health` reports them, and `stop` waits for their steps.
   *
   * Every process runs them, like the built-in tasks. If work must be done once, such as an export,
   * let one process claim it in your database.
   */
  readonly tasks?: Readonly<Record<string, OwnTask>>;
}

/** A step that has ended. */
export interface EndedStep {
  readonly task: string;
  readonly traceId: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly failure: TaskFailure | undefined;
}

/** Receives the outcome of each step. */
export type OnStep = (ended: EndedStep) => void;

/**
 * Starts a loop for each background task, and returns the loops by the names of their tasks.
 *
 * Each event handler has the task `events:` and its name, and each alert channel the task `alerts:`
 * and its name. Throws a `TypeError` if a task of `options.tasks` has the name of a built-in task,
 * or if the pause of a task is below 1 ms.
 */
export function startBackground(
  ports: Ports,
  options: BackgroundOptions,
  handlers: readonly EventHandler[],
  alerting: Readonly<Record<string, OwnTask>>,
  onStep: OnStep,
): ReadonlyMap<string, Loop> {
  const eventTasks = Object.fromEntries(
    handlers.map((handler) => [eventTaskName(handler), eventTask(ports, handler, options)]),
  );
  const builtIn = [...BACKGROUND_TASKS, ...Object.keys(eventTasks), ...Object.keys(alerting)];
  const taken = builtIn.find((name) => Object.hasOwn(options.tasks ?? {}, name));
  if (taken !== undefined) throw new TypeError(`The task "${taken}" is built in. Give yours another name.`);
  const tasks = { ...tasksOf(ports, options), ...eventTasks, ...alerting };
  return new Map(
    Object.entries(tasks).map(([name, task]) => [name, startTask(ports, name, task, onStep, options)]),
  );
}

/** Starts the loop of one task. Throws a `TypeError` if its pause is below 1 ms. */
export function startTask(
  ports: Pick<Ports, "clock" | "random">,
  name: string,
  { step, everyMs }: OwnTask,
  onStep: OnStep,
  { aroundStep = plainStep }: Pick<BackgroundOptions, "aroundStep">,
): Loop {
  if (!(everyMs >= 1)) throw new TypeError(`The pause of the task "${name}" must be at least 1 ms.`);
  const observed = () => settled(ports, name, step, onStep, aroundStep);
  return startLoop({ step: observed, everyMs, random: Math.random });
}

function eventTask(
  ports: Ports,
  handler: EventHandler,
  { eventsEveryMs = EVENTS_EVERY_MS, eventBatch = EVENT_BATCH }: BackgroundOptions,
): OwnTask {
  return { step: eventStep(ports, handler, eventBatch), everyMs: eventsEveryMs };
}

/** How often a process checks whether a comparison of bills is due, in milliseconds. */
const BILLS_EVERY_MS = 60_000;

function tasksOf(
  ports: Ports,
  {
    reconcileEveryMs = 5_000,
    reconcileBatch = 20,
    housekeepingEveryMs = 600_000,
    credentialsEveryMs = 3_600_000,
    billsAt = ["10:30", "12:00"],
    tasks = {},
  }: BackgroundOptions,
): Readonly<Record<string, OwnTask>> {
  return {
    ...tasks,
    reconcile: {
      step: () =>
        reconcileOrders(ports, reconcileBatch).map(({ orders, refunds }) => ({
          more: Math.max(orders, refunds) >= reconcileBatch,
        })),
      everyMs: reconcileEveryMs,
    },
    housekeeping: { step: () => runHousekeeping(ports), everyMs: housekeepingEveryMs },
    credentials: {
      step: () => checkCredentialExpiry(ports).map(() => ({ more: false })),
      everyMs: credentialsEveryMs,
    },
    bills: { step: dailyBills(ports, billsAt), everyMs: BILLS_EVERY_MS },
  };
}

/** Runs a step and reports its outcome. A step that throws or rejects has failed. */
async function settled(
  { clock, random }: Pick<Ports, "clock" | "random">,
  task: string,
  step: TaskStep,
  onStep: OnStep,
  aroundStep: AroundStep,
): Promise<StepResult> {
  const startedAt = clock.now();
  const newId = newTraceId(random);
  // The outcome is reported inside of `aroundStep`, so that its log line has the trace id too.
  const reported = async (traceId = newId): Promise<StepResult> => {
    const { failure, more } = await outcomeOf(step);
    onStep({ task, traceId, startedAt, failure });
    if (failure !== undefined) return "failed";
    return more ? "more" : "idle";
  };
  try {
    return await aroundStep({ task, traceId: newId }, reported);
  } catch (cause) {
    onStep({ task, traceId: newId, startedAt, failure: { name: "task.threw", cause } });
    return "failed";
  }
}

async function outcomeOf(
  step: TaskStep,
): Promise<{ readonly more: boolean; readonly failure: TaskFailure | undefined }> {
  try {
    const result = await step();
    return result.isErr()
      ? { more: false, failure: result.error }
      : { more: result.value.more, failure: undefined };
  } catch (cause) {
    return { more: false, failure: { name: "task.threw", cause } };
  }
}
