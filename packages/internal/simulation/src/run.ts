import { createHash } from "node:crypto";
import { reconcileOrders, runHousekeeping, type Stores } from "@tillkit/core";
import { memoryStores } from "@tillkit/memory";
import {
  create,
  disturb,
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
import { call, operate } from "./actions/running-apps.js";
import { askForCode, enter, report, use } from "./actions/logging-in.js";
import { readBook } from "./book.js";
import { checkBills } from "./checks/check-bills.js";
import { checkClaims } from "./checks/check-claims.js";
import { checkCodes, checkQuotas } from "./checks/check-limits.js";
import { checkOrders } from "./checks/check-orders.js";
import { checkServices } from "./checks/check-services.js";
import { checkSessions } from "./checks/check-sessions.js";
import { checkWallets } from "./checks/check-wallets.js";
import type { Event } from "./events.js";
import { comeToRest } from "./rest.js";
import { openScene, type Scene } from "./scene.js";
import type { Tape } from "./tape.js";
import { type Violation, violationOf } from "./violation.js";
import { openWorld, type World } from "./world.js";

/** The outcome of one run. */
export interface Outcome {
  /** The violated invariant, if any. */
  readonly violation?: Violation;
  /** SHA-256 of the log: equal for equal runs. */
  readonly hash: string;
  readonly story: readonly string[];
  /** The choices of the run. */
  readonly drawn: readonly number[];
  /** The number of events that happened. */
  readonly events: number;
}

type Action = (scene: Scene) => void | Promise<void>;

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
  disturb,
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
  disturb,
  reconcile,
  reconcile,
  reconcile,
];
const LOGGING_IN: readonly Action[] = [askForCode, enter, enter, use, report];
const UPKEEP: readonly Action[] = [reconcile, keepHouse, kill, compareBills, compareBills, resolve];
const RUNNING_APPS: readonly Action[] = [call, call, call, operate];
const ALL_REFUNDING: readonly Action[] = [...REFUNDING, ...REFUNDING, kill, compareBills];
/** The mixes of actions. A run uses one of them. */
const THEMES: readonly (readonly Action[])[] = [
  [...BUYING, ...BUYING, ...UPKEEP],
  ALL_REFUNDING,
  [...LOGGING_IN, ...LOGGING_IN, ...UPKEEP],
  [...BUYING, ...LOGGING_IN, ...UPKEEP],
  [...BUYING, ...BUYING, ...RUNNING_APPS, ...RUNNING_APPS, kill, kill, kill, kill],
];

function reconcile(scene: Scene): void {
  scene.serve("reconcile", (ports) => reconcileOrders(ports));
}

function keepHouse(scene: Scene): void {
  scene.serve("keep house", (ports) => runHousekeeping(ports));
}

function kill(scene: Scene): void {
  scene.kill();
}

/** One in so many choices starts a new action: many overlap, or most end before the next one. */
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
  "isLive",
  "query",
  "queryRefund",
  "readBill",
  "readFundFlow",
]);

/** The number of actions in one run. */
const DEEDS = 150;
/** The maximum of events in one run. A run with more events does not end. */
const MOST_EVENTS = 20_000;

/**
 * Makes one run on empty stores. Equal choices give equal runs.
 *
 * @param tape - the source of every choice.
 * @param stores - defaults to stores in memory.
 */
export async function run(tape: Tape, stores: Stores = memoryStores()): Promise<Outcome> {
  const world = openWorld(tape, stores);
  let events = 0;
  const outcome = (violation?: Violation): Outcome => ({
    ...(violation === undefined ? {} : { violation }),
    hash: createHash("sha256").update(world.story.join("\n")).digest("hex"),
    story: world.story,
    drawn: tape.drawn,
    events,
  });
  try {
    const scene = await openScene(world);
    checkCodes(scene);
    checkClaims(scene);
    const checks = [checkOrders, checkWallets, checkServices, checkQuotas, checkSessions, checkBills].map(
      (make) => make(scene),
    );
    const happen = async (event: Event): Promise<void> => {
      const together = togetherWith(world, event);
      events += together.length;
      if (events > MOST_EVENTS) throw new Error("The run does not come to an end.");
      for (const one of together) {
        world.events.remove(one);
        world.tell(one.label);
      }
      await Promise.all(together.map(async (one) => one.run()));
      for (const one of together) one.follow?.();
      await quiet();
      await check();
    };
    let unchecked = true;
    world.effects.push(({ verb }) => void (unchecked ||= !READING.has(verb)));
    const check = async (): Promise<void> => {
      if (world.thrown.length > 0) throw world.thrown[0];
      // Without an effect, nothing can have changed.
      if (!unchecked) return;
      unchecked = false;
      const book = await readBook(scene);
      for (const look of checks) look(book);
    };
    await live(scene, happen, check);
    await comeToRest(scene, async () => {
      await quiet();
      for (;;) {
        const [first] = world.events.due(world.now());
        const next = world.events.nextDueAt();
        if (first !== undefined) await happen(first);
        else if (next !== undefined) world.advance(next - world.now());
        else break;
      }
      await check();
    });
    return outcome();
  } catch (thrown) {
    const violation = violationOf(thrown);
    world.tell(`BROKEN: ${violation.promise}: ${violation.detail}`);
    return outcome(violation);
  }
}

async function live(
  scene: Scene,
  happen: (event: Event) => Promise<void>,
  check: () => Promise<void>,
): Promise<void> {
  const { world } = scene;
  const { tape } = world;
  const theme = THEMES[tape.next(THEMES.length)] ?? BUYING;
  const actions = emphasised(tape, theme);
  if (theme === ALL_REFUNDING) await payForAll(scene);
  const haste = HASTE[tape.next(HASTE.length)] ?? 16;
  const leaps = PACES[tape.next(PACES.length)] ?? [SECOND];
  for (let deeds = 0; deeds < DEEDS && !tape.ended();) {
    const due = world.events.due(world.now());
    const choice = tape.next(haste);
    const event = choice < haste - 2 ? due[tape.next(Math.max(1, due.length))] : undefined;
    if (event !== undefined) {
      await happen(event);
    } else if (choice === haste - 1) {
      const leap = tape.next(6) === 5 ? await toAnEdge(scene) : (leaps[tape.next(leaps.length)] ?? SECOND);
      world.tell(`${String(leap / SECOND)} s pass`);
      world.advance(leap);
    } else {
      // Sometimes several actions start at once.
      const together = [1, 1, 1, 2, 4][tape.next(5)] ?? 1;
      deeds += together;
      const action = actions[tape.next(actions.length)];
      for (let times = 0; times < together; times += 1) await action?.(scene);
      await quiet();
      await check();
    }
  }
}

/** Returns the event, sometimes with other calls of its process to the same store method. */
function togetherWith({ events, tape, now }: World, event: Event): readonly Event[] {
  const { process, statement } = event;
  if (statement === undefined) return [event];
  const about = new Map([[statement.about, event]]);
  for (const other of events.due(now())) {
    const alike = other.process === process && other.statement?.verb === statement.verb;
    if (alike && !about.has(other.statement.about)) about.set(other.statement.about, other);
  }
  return about.size > 1 && tape.next(2) === 1 ? [...about.values()] : [event];
}

/** Returns the actions of a theme, with random weights. Always contains `create`. */
function emphasised(tape: Tape, theme: readonly Action[]): readonly Action[] {
  const times = new Map([...new Set(theme)].map((action) => [action, [1, 0, 1, 3][tape.next(4)] ?? 1]));
  const chosen = theme.flatMap((action) => Array<Action>(times.get(action) ?? 1).fill(action));
  return [create, ...chosen];
}

/**
 * Returns the milliseconds to a time near a deadline of an order.
 *
 * From then on more actions choose this order.
 */
async function toAnEdge(scene: Scene): Promise<number> {
  const { world, appId, wanted } = scene;
  const { tape, policy, stores } = world;
  scene.busyWith = wanted[tape.next(wanted.length)];
  const { bizNo = "" } = scene.busyWith ?? {};
  const order = (await stores.orders.find({ appId, bizNo }))._unsafeUnwrap();
  const end = order?.expiresAt ?? world.now();
  const closable = end + policy.expiryMargin;
  const moments = [end, end, closable, closable + policy.unprovenNoPeriod, order?.nextQueryAt ?? end];
  const moment = (moments[tape.next(moments.length)] ?? end) + (tape.next(3) - 1) * SECOND;
  return Math.max(SECOND, moment - world.now());
}

/** Resolves when all pending promises have settled and only events remain. */
function quiet(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
