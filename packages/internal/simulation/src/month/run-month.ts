import {
  billDay,
  type BillOutcome,
  createOrder,
  createOrderInput,
  lastBillDay,
  orThrow,
  PAY_CHANNELS,
  parseInput,
  reconcileBills,
  reconcileBillsInput,
  reconcileOrders,
  syncOrder,
} from "@tillkit/core";
import { closeOrder, closeOrderInput, refundOrigin, syncRefund } from "@tillkit/core/operators";
import { seededChoices } from "../choice-source.js";
import { auditMonth, type Broken } from "./audit.js";
import { readReport } from "./check-reports.js";
import { type Environment, openEnvironment } from "./environment.js";
import { endFaults, setFault, walletName } from "./fault-schedule.js";
import {
  DAY,
  type Deed,
  HOUR,
  type Life,
  MINUTE,
  MONTH_DAYS,
  type MonthPlan,
  planMonth,
  SECOND,
} from "./month-plan.js";
import { askForRefund, workThroughLists } from "./operator.js";
import { storyOf } from "./story.js";
import { isPaidAtWallet, openWorld, type World } from "./world.js";

/** The options of a month. */
export interface MonthOptions {
  readonly seed: number;
  /** The number of orders at each wallet. */
  readonly orders: number;
}

/** The outcome of a month. */
export interface MonthOutcome {
  readonly seed: number;
  readonly orders: number;
  /** How many refunds of each status Tillkit has at the end. */
  readonly refunds: ReadonlyMap<string, number>;
  /** How many entries the timelines have, by type. */
  readonly events: ReadonlyMap<string, number>;
  readonly broken: readonly Broken[];
  /** Everything that happened to the first order for which a promise is broken. */
  readonly story: readonly string[];
}

/** The pauses before the steps after an event. Further steps follow at intervals of `QUIET`. */
const PAUSES = [40 * SECOND, MINUTE, MINUTE, 3 * MINUTE, 5 * MINUTE];
const QUIET = 20 * MINUTE;
/** How many days follow the month without faults, so that everything can end. */
const QUIET_DAYS = 8;
/** The day of the month on which a week without bill comparisons begins. */
const MISSED_WEEK = 10;
/** How long an operator waits before a retry of a refused request. */
const ASKS_AGAIN = 3 * HOUR;

/**
 * Runs a month: the real adapters against the simulated wallets over HTTP.
 *
 * Two reconcilers run after each move of the clock. Every day at eleven o'clock in China the bills
 * are compared, and then an operator works through the lists. Equal seeds plan equal months.
 */
export async function runMonth({ seed, orders }: MonthOptions): Promise<MonthOutcome> {
  const plan = planMonth(seededChoices(seed), orders);
  const environment = await openEnvironment();
  try {
    await environment.control("/refunds", { walletA: { oneAMinute: true } });
    const world = openWorld(environment, plan.lives, seed);
    const agenda = openAgenda();
    for (const life of plan.lives) agenda.add(life.at, () => begin(environment, world, agenda, life));
    for (const fault of plan.faults) {
      agenda.add(fault.at, () => setFault(environment, fault, true));
      // Payments fill the balance, so it is emptied again every hour.
      for (let at = fault.at + HOUR; fault.kind === "no-money" && at < fault.until; at += HOUR)
        agenda.add(at, () => setFault(environment, fault, true));
      agenda.add(fault.until, () => setFault(environment, fault, false));
    }
    for (const { wallet, at } of plan.rotations)
      agenda.add(at, () => environment.control("/rotate-keys", { wallet }));
    const compared = new Set<string>();
    for (const { copiedAt, at } of plan.restores) {
      agenda.add(copiedAt, () => {
        environment.backUp();
        return Promise.resolve();
      });
      agenda.add(at, () => restore(environment, world, agenda, compared, { copiedAt, at }));
    }
    const startedAt = environment.now();
    const elapsed = () => environment.now() - startedAt;
    const missed: Broken[] = [];
    for (let day = 0; day < MONTH_DAYS + QUIET_DAYS; day += 1) {
      const isMissed = day >= MISSED_WEEK && day < MISSED_WEEK + 7;
      if (day === MISSED_WEEK + 7)
        agenda.add(day * DAY + 23 * HOUR - MINUTE, async () => {
          missed.push(...(await checkMissedWeek(environment)));
        });
      if (!isMissed) agenda.add(day * DAY + 23 * HOUR, () => compareBills(environment, compared));
      if (day < MONTH_DAYS + QUIET_DAYS - 1)
        agenda.add(day * DAY + 23 * HOUR + 30 * MINUTE, () => workThroughLists(environment, world, false));
    }
    agenda.add(MONTH_DAYS * DAY, () => endFaults(environment));
    for (let day = 2; day < MONTH_DAYS + QUIET_DAYS; day += 2)
      agenda.add(day * DAY, () => endHeldRefunds(environment, world));
    await live(environment, agenda, (MONTH_DAYS + QUIET_DAYS) * DAY, elapsed);
    await workThroughLists(environment, world, true);
    await compareBills(environment, compared);
    await workThroughLists(environment, world, true);
    const audit = await auditMonth(environment, world, startedAt);
    const broken = [...missed, ...audit.broken];
    const [first] = broken;
    const life = plan.lives.find(({ bizNo }) => bizNo === first?.bizNo);
    const story = life === undefined ? [] : await storyOf(environment, world, life, startedAt);
    return { seed, orders: plan.lives.length, ...audit, broken, story };
  } finally {
    await environment.close();
  }
}

/** What happens when. `at` is milliseconds after the start of the month. */
interface Agenda {
  add(at: number, run: () => Promise<void>): void;
  /** When the next entry is due. */
  nextAt(): number;
  take(): Promise<void> | undefined;
}

function openAgenda(): Agenda {
  const entries: { readonly at: number; readonly run: () => Promise<void> }[] = [];
  return {
    add: (at, run) => {
      const place = entries.findIndex((entry) => entry.at > at);
      entries.splice(place < 0 ? entries.length : place, 0, { at, run });
    },
    nextAt: () => entries[0]?.at ?? Infinity,
    take: () => entries.shift()?.run(),
  };
}

/** Moves the clock to the end, and lets everything happen that is due. */
async function live(
  environment: Environment,
  agenda: Agenda,
  until: number,
  elapsed: () => number,
): Promise<void> {
  let quiet = 0;
  while (elapsed() < until) {
    const pause = PAUSES[quiet] ?? QUIET;
    quiet += 1;
    await environment.advance(Math.max(1, Math.min(pause, agenda.nextAt() - elapsed(), until - elapsed())));
    while (agenda.nextAt() <= elapsed()) {
      await agenda.take();
      quiet = 0;
    }
    await reconcile(environment);
  }
}

/** Runs two reconcilers at once until nothing is due. */
async function reconcile({ ports }: Environment): Promise<void> {
  for (;;) {
    const rounds = await Promise.all([reconcileOrders(ports), reconcileOrders(ports)]);
    const work = rounds.map((round) => orThrow(round));
    if (work.every(({ orders, refunds }) => orders + refunds === 0)) return;
  }
}

/** A customer orders, and then pays or not. */
async function begin(
  environment: Environment,
  world: World,
  agenda: Agenda,
  life: Life,
  tries = 0,
): Promise<void> {
  const { ports, appId, serviceTypeNo } = environment;
  const { bizNo, amount, payChannel, paySource, end, coupon } = life;
  if (life.lostAnswer && tries === 0) {
    const prepay = { fault: "reset-after", times: 1 };
    await environment.control("/faults", { [walletName(payChannel)]: { prepay } });
  }
  const wanted = {
    bizNo,
    customerIdentity: `of-${bizNo}`,
    amount,
    goodsTitle: "Thirty days",
    payChannel,
    paySource,
    serviceTypeNo,
  };
  const input = orThrow(parseInput(createOrderInput(ports.policy), wanted));
  const created = await createOrder(ports, appId, input);
  const order = await world.orderOf(bizNo);
  if (order !== undefined) world.know(bizNo, order.id);
  const { at } = life;
  if (created.isErr()) {
    if (tries < 4)
      agenda.add(at + (tries + 1) * 6 * MINUTE, () => begin(environment, world, agenda, life, tries + 1));
    return;
  }
  const outTradeNo = created.value.order.id;
  const soon = at + tries * 6 * MINUTE + (1 + world.choose(`${bizNo} pays`, 20)) * MINUTE;
  const afterwards = soon + 4 * HOUR;
  const pay = async (late: boolean) => {
    const how = { outTradeNo, late, ...(coupon === 0 ? {} : { coupon }) };
    // The wallet refuses a payment that comes too late.
    await environment.control("/pay", how).catch(() => undefined);
  };
  const close = async () => {
    const request = { bizNo, reason: "ordered twice", operator: "li" };
    const parsed = orThrow(parseInput(closeOrderInput(environment.ports.policy), request));
    await closeOrder(environment.ports, appId, parsed);
  };
  if (end === "paid") agenda.add(soon, () => pay(false));
  if (end === "closed" || end === "closed-and-paid") agenda.add(soon, close);
  if (end === "paid-late" || end === "closed-and-paid") agenda.add(afterwards, () => pay(true));
  for (const deed of life.deeds) agenda.add(deed.at, () => act(environment, world, agenda, life, deed));
}

/** Does what people do about a paid order. */
async function act(
  environment: Environment,
  world: World,
  agenda: Agenda,
  life: Life,
  deed: Deed,
  tries = 0,
): Promise<void> {
  const { bizNo, payChannel } = life;
  const order = await world.orderOf(bizNo);
  const outTradeNo = order?.id ?? world.numbersOf(bizNo)[0];
  if (outTradeNo === undefined || !isPaidAtWallet(environment, outTradeNo)) return;
  switch (deed.kind) {
    case "console": {
      await world.refundInConsole(outTradeNo, deed);
      return;
    }
    case "finish":
      await environment.control("/finish", { outTradeNo });
      return;
    case "second-payment":
      // The new payment counts as a second one only if Tillkit has stored the first payment.
      if (order?.walletTradeNo === undefined) return;
      await environment.control("/notify", { outTradeNo, as: "other-payment" });
      return;
    case "sync":
      await syncOrder(environment.ports, environment.appId, bizNo);
      await syncTwice(environment, world, bizNo);
      return;
    case "refund": {
      const { refundNo, secondNo, amount, course } = deed;
      if (order === undefined) return world.refundInConsole(outTradeNo);
      await environment.control("/refunds", { [walletName(payChannel)]: course });
      const [outcome] = await Promise.all([
        askForRefund(environment, { bizNo, refundNo, amount }),
        ...(secondNo === undefined
          ? []
          : [askForRefund(environment, { bizNo, refundNo: secondNo, amount }, "wei")]),
      ]);
      // Within a minute, two operators press Sync for every refund.
      if (secondNo !== undefined)
        agenda.add(deed.at + 10 * SECOND, () => syncTwice(environment, world, bizNo));
      const isUndecided = outcome === "refund.in-progress" || outcome === "refund.outcome-unknown";
      if (isUndecided && tries < 3)
        agenda.add(deed.at + (tries + 1) * ASKS_AGAIN, () =>
          act(environment, world, agenda, life, deed, tries + 1),
        );
    }
  }
}

/** Two operators press Sync for every refund at once, while the reconcilers run. */
async function syncTwice({ ports, appId }: Environment, world: World, bizNo: string): Promise<void> {
  for (const { refundNo } of await world.refundsOf(bizNo)) {
    const press = () => syncRefund(ports, appId, { bizNo, refundNo });
    await Promise.all([press(), press()]);
  }
}

/** The staff of the wallets ends the refunds that take for ever. */
async function endHeldRefunds(environment: Environment, world: World): Promise<void> {
  const { refundControls } = environment.sandbox;
  for (const { bizNo } of world.lives)
    for (const outTradeNo of world.numbersOf(bizNo))
      for (const { refundNo, state } of refundControls.refundsOf(outTradeNo))
        if (state === "PROCESSING") await refundControls.changeRefund(refundNo, { state: "SUCCESS" });
}

/**
 * Compares the bills of every day until a comparison leaves nothing open.
 *
 * The reports contain the lines of the last comparison of a day. The bill in that comparison may
 * have been wrong, even if an operator has closed the differences since.
 */
async function compareBills(environment: Environment, compared: Set<string>): Promise<void> {
  const { ports } = environment;
  const last = billDay(lastBillDay(ports.clock.now()));
  for (let ago = 0; ago < MONTH_DAYS + QUIET_DAYS; ago += 1) {
    const { date: day } = billDay(new Date(Date.parse(last.date) - ago * DAY).toISOString().slice(0, 10));
    if (PAY_CHANNELS.every((payChannel) => compared.has(`${payChannel} ${day}`))) continue;
    const outcomes = await reconcileBills(ports, orThrow(parseInput(reconcileBillsInput(), { day })));
    for (const outcome of orThrow(outcomes)) {
      const name = `${outcome.bill.payChannel} ${day}`;
      if (isDone(outcome)) compared.add(name);
      else compared.delete(name);
    }
  }
}

/** Returns the days of the missed week that the reports do not name as missing. */
async function checkMissedWeek(environment: Environment): Promise<readonly Broken[]> {
  const broken: Broken[] = [];
  for (let ago = 0; ago < 7; ago += 1) {
    const day = lastBillDay(environment.now() - ago * DAY);
    for (const period of [day, day.slice(0, 7)]) {
      const { report } = await readReport(environment, period);
      const isNamed = report.missingDays.filter(({ days }) => days.includes(day)).length;
      if (isNamed !== PAY_CHANNELS.length || report.isComplete)
        broken.push({ promise: "report", bizNo: "", text: `${period} does not miss ${day}` });
    }
  }
  return broken;
}

function isDone(outcome: BillOutcome): boolean {
  return (
    outcome.kind === "compared" && outcome.reconciled.flow.kind === "read" && outcome.reconciled.open === 0
  );
}

/**
 * Replaces the data of the service by its copy.
 *
 * Then operators repeat the refunds that Tillkit has lost, as the guide asks them to: with the same
 * number, and with the same amount or without an amount.
 *
 * Does nothing if cash was paid or a refund was withdrawn since the copy: the merchant would first
 * have to repeat these decisions, which Tillkit would have lost.
 */
async function restore(
  environment: Environment,
  world: World,
  agenda: Agenda,
  compared: Set<string>,
  { copiedAt, at }: MonthPlan["restores"][number],
): Promise<void> {
  if (world.lastDecisionAt() >= environment.now() - (at - copiedAt)) return;
  const ownRefunds = async () => {
    const all = await Promise.all(world.lives.map(({ bizNo }) => world.refundsOf(bizNo)));
    const made = all.flat().filter((refund) => refundOrigin(refund) === "tillkit");
    return new Map(made.map((refund) => [`${refund.bizNo} ${refund.refundNo}`, refund]));
  };
  const before = await ownRefunds();
  environment.restore();
  compared.clear();
  const after = await ownRefunds();
  for (const [name, { bizNo, refundNo, amount, status }] of before) {
    if (after.has(name) || (status !== "SENT" && status !== "CONFIRMED")) continue;
    const wanted = world.choose(`${name} again`, 2) === 0 ? { bizNo, refundNo, amount } : { bizNo, refundNo };
    agenda.add(at + 5 * MINUTE, async () => void (await askForRefund(environment, wanted)));
  }
}
