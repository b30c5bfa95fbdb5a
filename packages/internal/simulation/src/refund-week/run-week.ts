import { type Order, PAY_CHANNELS, reconcileOrders } from "@tillkit/core";
import { seededChoices } from "../choice-source.js";
import { type Environment, openEnvironment } from "./environment.js";
import { actOnAbnormal, askForRefund } from "./operator.js";
import { paidOrder } from "./purchases.js";
import { setFault, walletName } from "./fault-schedule.js";
import { type Audit, auditWeek } from "./audit.js";
import { DAY, HOUR, MINUTE, ORDER_AMOUNT, type PlannedRefund, planWeek } from "./week-plan.js";

/** The size of a week. */
export interface WeekOptions {
  readonly seed: number;
  /** The number of refunded orders at each wallet. */
  readonly refunds: number;
  readonly days: number;
  /** Called at the end of every simulated day. */
  readonly onDay?: (day: number) => void;
}

/** A step of the week. `at` is milliseconds after the start of the week. */
interface Happening {
  readonly at: number;
  run(): Promise<void>;
}

/** How long an operator waits before a retry of a refused request. */
const ASKS_AGAIN = 3 * HOUR;
/** How long after the refund request the operator acts on it. */
const OPERATOR_COMES = DAY;

/**
 * Runs a week of refunds: the real adapters against the simulated wallets over HTTP.
 *
 * The clock moves minute by minute, and two reconcilers run after each move. Equal seeds plan equal
 * weeks.
 */
export async function runWeek({ seed, refunds, days, onDay }: WeekOptions): Promise<Audit> {
  const plan = planWeek(seededChoices(seed), refunds);
  const environment = await openEnvironment();
  try {
    await environment.control("/refunds", { walletA: { oneAMinute: true } });
    const orders = await payEverything(environment, plan.refunds);
    const agenda: Happening[] = [];
    const add = (at: number, run: () => Promise<void>): void => {
      agenda.push({ at, run });
      agenda.sort((left, right) => left.at - right.at);
    };
    for (const fault of plan.faults) {
      add(fault.at, () => setFault(environment, fault, true));
      add(fault.until, () => setFault(environment, fault, false));
    }
    for (const planned of plan.refunds) add(planned.at, () => begin(environment, planned, add, elapsed));
    const startedAt = environment.now();
    function elapsed(): number {
      return environment.now() - startedAt;
    }
    while (elapsed() < days * DAY) {
      await environment.advance(MINUTE);
      while (agenda[0] !== undefined && agenda[0].at <= elapsed()) await agenda.shift()?.run();
      await reconcile(environment);
      if (elapsed() % DAY === 0) onDay?.(elapsed() / DAY);
    }
    return await auditWeek(environment, orders, startedAt);
  } finally {
    await environment.close();
  }
}

async function payEverything(
  environment: Environment,
  refunds: readonly PlannedRefund[],
): Promise<readonly Order[]> {
  const orders: Order[] = [];
  for (const payChannel of PAY_CHANNELS) {
    const bizNos = new Set(refunds.filter((one) => one.payChannel === payChannel).map(({ bizNo }) => bizNo));
    for (const bizNo of bizNos) orders.push(await paidOrder(environment, payChannel, bizNo, ORDER_AMOUNT));
  }
  return orders;
}

/** Requests a refund as an operator, and plans the retry and the visit that follow. */
async function begin(
  environment: Environment,
  planned: PlannedRefund,
  add: (at: number, run: () => Promise<void>) => void,
  elapsed: () => number,
): Promise<void> {
  const { takes, ends, operator } = planned.course;
  await environment.control("/refunds", { [walletName(planned.payChannel)]: { takes, ends } });
  const outcome = await askForRefund(environment, planned);
  if (outcome === "refund.in-progress" || outcome === "refund.outcome-unknown")
    add(elapsed() + ASKS_AGAIN, () => begin(environment, planned, add, elapsed));
  if (operator !== undefined) visit();

  function visit(): void {
    add(elapsed() + OPERATOR_COMES, async () => {
      if (operator === undefined) return;
      const result = await actOnAbnormal(environment, planned, operator);
      if (result === "refund.status-conflict" || result === "refund.outcome-unknown") visit();
    });
  }
}

/** Runs two reconcilers at once until nothing is due. */
async function reconcile({ ports }: Environment): Promise<void> {
  for (;;) {
    const rounds = await Promise.all([reconcileOrders(ports), reconcileOrders(ports)]);
    const work = rounds.map((round) => round._unsafeUnwrap());
    if (work.every(({ orders, refunds }) => orders + refunds === 0)) return;
  }
}
