import { createHash } from "node:crypto";
import { orThrow, reconcileOrders, runHousekeeping, type Stores } from "@tillkit/core";
import { memoryStores } from "@tillkit/memory";
import {
  create,
  disruptNotifications,
  endByHand,
  endRefund,
  pay,
  payForAll,
  read,
  refund,
  runOutOfFunds,
  settle,
} from "./actions/buying.js";
import { compareBills, resolve } from "./actions/comparing-bills.js";
import { deliver, replayParked } from "./actions/delivering-events.js";
import { callAsApp, operateApp } from "./actions/running-apps.js";
import { askForCode, logInWithCode, report, useToken } from "./actions/logging-in.js";
import { readSnapshot } from "./snapshot.js";
import { checkBills } from "./checks/check-bills.js";
import { checkClaims } from "./checks/check-claims.js";
import { checkEvents } from "./checks/check-events.js";
import { checkCodes, checkQuotas } from "./checks/check-limits.js";
import { checkOrders } from "./checks/check-orders.js";
import { checkServices } from "./checks/check-services.js";
import { checkSessions } from "./checks/check-sessions.js";
import { checkWallets } from "./checks/check-wallets.js";
import type { Event } from "./events.js";
import { quiesce } from "./quiesce.js";
import { openScenario, type Scenario } from "./scenario.js";
import type { ChoiceSource } from "./choice-source.js";
import { type Violation, violationOf } from "./violation.js";
import { openSimulation, type Simulation } from "./simulation.js";

/** The outcome of one run. */
export interface RunOutcome {
  /** The violated invariant, if any. */
  readonly violation?: Violation;
  /** SHA-256 of the log: equal for equal runs. */
  readonly hash: string;
  readonly trace: readonly string[];
  /** The choices of the run. */
  readonly drawn: readonly number[];
  /** The number of events that happened. */
  readonly events: number;
}

type Action = (scenario: Scenario) => void | Promise<void>;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The possible moves of the clock, in milliseconds: for a run of days, and for a shorter one. */
const PACES: readonly (readonly number[])[] = [
  [
    SECOND,
    SECOND,
    11 * SECOND,
    11 * SECOND,
    40 * SECOND,
    5 * MINUTE,
    5 * MINUTE,
    40 * MINUTE,
    2 * HOUR,
    26 * HOUR,
  ],
  [SECOND, SECOND, 11 * SECOND, 11 * SECOND, 40 * SECOND, 5 * MINUTE],
];

const BUYING: readonly Action[] = [
  create,
  create,
  create,
  pay,
  pay,
  pay,
  read,
  refund,
  refund,
  settle,
  settle,
  endRefund,
  endRefund,
  endByHand,
  runOutOfFunds,
  disruptNotifications,
  reconcile,
  reconcile,
];
/** Actions for runs that refund orders that are paid from the beginning. */
const REFUNDING: readonly Action[] = [
  refund,
  refund,
  refund,
  refund,
  endRefund,
  endRefund,
  endByHand,
  endByHand,
  runOutOfFunds,
  disruptNotifications,
  reconcile,
  reconcile,
  reconcile,
];
const LOGGING_IN: readonly Action[] = [askForCode, logInWithCode, logInWithCode, useToken, report];
const MAINTENANCE: readonly Action[] = [reconcile, keepHouse, kill, compareBills, compareBills, resolve];
const RUNNING_APPS: readonly Action[] = [callAsApp, callAsApp, callAsApp, operateApp];
const DELIVERING: readonly Action[] = [deliver, deliver, deliver, deliver, replayParked, kill];
const ALL_REFUNDING: readonly Action[] = [...REFUNDING, ...REFUNDING, kill, compareBills];
/** The mixes of actions. A run uses one of them. */
const THEMES: readonly (readonly Action[])[] = [
  [...BUYING, ...BUYING, ...MAINTENANCE],
  ALL_REFUNDING,
  [...LOGGING_IN, ...LOGGING_IN, ...MAINTENANCE],
  [...BUYING, ...LOGGING_IN, ...MAINTENANCE],
  [...BUYING, ...DELIVERING, ...DELIVERING],
  [...BUYING, ...BUYING, ...RUNNING_APPS, ...RUNNING_APPS, kill, kill, kill, kill],
];

function reconcile(scenario: Scenario): void {
  scenario.serve("reconcile", (ports) => reconcileOrders(ports));
}

function keepHouse(scenario: Scenario): void {
  scenario.serve("keep house", (ports) => runHousekeeping(ports));
}

function kill(scenario: Scenario): void {
  scenario.kill();
}

/**
 * While events are due, one in this number of choices starts a new action.
 *
 * The smaller the number, the more actions overlap.
 */
const HASTE = [64, 32, 16] as const;

/** Methods that change nothing. */
const READING: ReadonlySet<string> = new Set([
  "find",
  "findById",
  "findByIds",
  "current",
  "list",
  "listAll",
  "listPaid",
  "listConfirmed",
  "timeline",
  "page",
  "query",
  "queryRefund",
  "readBill",
  "readFundFlow",
]);

/** The number of actions in one run. */
const ACTIONS = 150;
/** The maximum of events in one run. A run with more events counts as endless, and throws. */
const MOST_EVENTS = 20_000;

/**
 * Makes one run on empty stores. Equal choices give equal runs.
 *
 * @param choices - the source of every choice.
 * @param stores - defaults to stores in memory.
 */
export async function run(choices: ChoiceSource, stores: Stores = memoryStores()): Promise<RunOutcome> {
  const simulation = openSimulation(choices, stores);
  let events = 0;
  const outcome = (violation?: Violation): RunOutcome => ({
    ...(violation === undefined ? {} : { violation }),
    hash: createHash("sha256").update(simulation.trace.join("\n")).digest("hex"),
    trace: simulation.trace,
    drawn: choices.drawn,
    events,
  });
  try {
    const scenario = await openScenario(simulation);
    checkCodes(scenario);
    checkClaims(scenario);
    const checks = [
      checkOrders,
      checkWallets,
      checkServices,
      checkQuotas,
      checkSessions,
      checkBills,
      checkEvents,
    ].map((make) => make(scenario));
    const happen = async (event: Event): Promise<void> => {
      const together = togetherWith(simulation, event);
      events += together.length;
      if (events > MOST_EVENTS) throw new Error("The run has more events than its limit.");
      for (const one of together) {
        simulation.events.remove(one);
        simulation.log(one.label);
      }
      await Promise.all(together.map(async (one) => one.run()));
      for (const one of together) one.follow?.();
      await quiet();
      await check();
    };
    let unchecked = true;
    simulation.effects.push(({ method }) => void (unchecked ||= !READING.has(method)));
    const check = async (): Promise<void> => {
      if (simulation.thrown.length > 0) throw simulation.thrown[0];
      // Without an effect, nothing can have changed.
      if (!unchecked) return;
      unchecked = false;
      const snapshot = await readSnapshot(scenario);
      for (const look of checks) look(snapshot);
    };
    await live(scenario, happen, check);
    await quiesce(scenario, async () => {
      await quiet();
      for (;;) {
        const [first] = simulation.events.due(simulation.now());
        const next = simulation.events.nextDueAt();
        if (first !== undefined) await happen(first);
        else if (next !== undefined) simulation.advance(next - simulation.now());
        else break;
      }
      await check();
    });
    return outcome();
  } catch (thrown) {
    const violation = violationOf(thrown);
    simulation.log(`BROKEN: ${violation.invariant}: ${violation.detail}`);
    return outcome(violation);
  }
}

async function live(
  scenario: Scenario,
  happen: (event: Event) => Promise<void>,
  check: () => Promise<void>,
): Promise<void> {
  const { simulation } = scenario;
  const { choices } = simulation;
  const theme = THEMES[choices.next(THEMES.length)] ?? BUYING;
  const actions = emphasised(choices, theme);
  if (theme === ALL_REFUNDING) await payForAll(scenario);
  const haste = HASTE[choices.next(HASTE.length)] ?? 16;
  const leaps = PACES[choices.next(PACES.length)] ?? [SECOND];
  for (let deeds = 0; deeds < ACTIONS && !choices.ended();) {
    const due = simulation.events.due(simulation.now());
    const choice = choices.next(haste);
    const event = choice < haste - 2 ? due[choices.next(Math.max(1, due.length))] : undefined;
    if (event !== undefined) {
      await happen(event);
    } else if (choice === haste - 1) {
      const leap =
        choices.next(6) === 5 ? await toAnEdge(scenario) : (leaps[choices.next(leaps.length)] ?? SECOND);
      simulation.log(`${String(leap / SECOND)} s pass`);
      simulation.advance(leap);
    } else {
      // Sometimes several actions start at once.
      const together = [1, 1, 1, 2, 4][choices.next(5)] ?? 1;
      deeds += together;
      const action = actions[choices.next(actions.length)];
      for (let times = 0; times < together; times += 1) await action?.(scenario);
      await quiet();
      await check();
    }
  }
}

/** Returns `event`, sometimes with other due calls of its process to the same store method. */
function togetherWith({ events, choices, now }: Simulation, event: Event): readonly Event[] {
  const { process, statement } = event;
  if (statement === undefined) return [event];
  const about = new Map([[statement.about, event]]);
  for (const other of events.due(now())) {
    const alike = other.process === process && other.statement?.method === statement.method;
    if (alike && !about.has(other.statement.about)) about.set(other.statement.about, other);
  }
  return about.size > 1 && choices.next(2) === 1 ? [...about.values()] : [event];
}

/** Returns the actions of a theme, with random weights. Always contains `create`. */
function emphasised(choices: ChoiceSource, theme: readonly Action[]): readonly Action[] {
  const times = new Map([...new Set(theme)].map((action) => [action, [1, 0, 1, 3][choices.next(4)] ?? 1]));
  const chosen = theme.flatMap((action) => Array<Action>(times.get(action) ?? 1).fill(action));
  return [create, ...chosen];
}

/**
 * Returns the milliseconds to a time near a deadline of an order.
 *
 * From then on more actions choose this order.
 */
async function toAnEdge(scenario: Scenario): Promise<number> {
  const { simulation, appId, wanted } = scenario;
  const { choices, policy, stores } = simulation;
  scenario.busyWith = wanted[choices.next(wanted.length)];
  const { bizNo = "" } = scenario.busyWith ?? {};
  const order = await orThrow(stores.orders.find({ appId, bizNo }));
  const end = order?.expiresAt ?? simulation.now();
  const closable = end + policy.expiryMargin;
  const moments = [end, end, closable, closable + policy.unsignedRefusalDelay, order?.nextQueryAt ?? end];
  const moment = (moments[choices.next(moments.length)] ?? end) + (choices.next(3) - 1) * SECOND;
  return Math.max(SECOND, moment - simulation.now());
}

/** Resolves when all pending promises have settled and only events remain. */
function quiet(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
