import { orThrow } from "@tillkit/core";
import { openAlarms, outRefundNo } from "@tillkit/core/ports";
import { checkReports } from "./check-reports.js";
import type { Environment } from "./environment.js";
import { DAY, type Life, MINUTE, SECOND } from "./month-plan.js";
import { openExceptions } from "./operator.js";
import type { RefundCall } from "./refund-calls.js";
import { differencesOf, type World } from "./world.js";

/** A promise that does not hold. `bizNo` is empty if it is about no order. */
export interface Broken {
  readonly promise: "difference" | "list" | "limit" | "twice" | "report";
  readonly bizNo: string;
  readonly text: string;
}

/** The results of a month. */
export interface Audit {
  readonly refunds: ReadonlyMap<string, number>;
  readonly events: ReadonlyMap<string, number>;
  readonly broken: readonly Broken[];
}

/** WeChat Pay accepts one refund call per minute for one order, and Alipay one in three seconds. */
const SEND_PAUSE = { WALLET_A: MINUTE, WALLET_B: 3 * SECOND } as const;
/** The maximum of attempts at one refund on a day: four in the first hour, 23 more, one spare. */
const ATTEMPTS_A_DAY = 28;
/** Calls per attempt: a query and a send, and at Alipay a query after the send. */
const CALLS_PER_ATTEMPT = { WALLET_A: 2, WALLET_B: 3 } as const;
/** The states in which a refund has not ended. */
const OPEN: ReadonlySet<string> = new Set(["REQUESTED", "SENT", "WAITING_FOR_FUNDS", "ABNORMAL"]);

/** Compares Tillkit's data with the wallets, and checks the operators' lists and the calls. */
export async function auditMonth(environment: Environment, world: World, startedAt: number): Promise<Audit> {
  const { ports, appId } = environment;
  const broken: Broken[] = [];
  const refunds = new Map<string, number>();
  const events = new Map<string, number>();
  const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const life of world.lives) {
    const { bizNo } = life;
    const add = (promise: Broken["promise"]) => (text: string) => void broken.push({ promise, bizNo, text });
    (await differencesOf(environment, world, bizNo)).forEach(add("difference"));
    const order = await world.orderOf(bizNo);
    if (order?.paymentStatus === "PENDING") add("list")("the order is still PENDING");
    for (const { refundNo, status } of await world.refundsOf(bizNo)) {
      count(refunds, status);
      if (OPEN.has(status)) add("list")(`refund ${refundNo} is still ${status}`);
    }
    const timeline = await orThrow(ports.orders.timeline({ appId, bizNo }));
    for (const { type } of timeline) count(events, type);
    for (const { type } of openAlarms(timeline)) add("list")(`the alarm ${type} is open`);
    (await paidTwice(environment, world, life)).forEach(add("twice"));
    brokenLimits(environment, world, life, startedAt).forEach(add("limit"));
  }
  for (const { kind, outTradeNo, day } of await openExceptions(environment)) {
    const bizNo = world.lifeOf(outTradeNo)?.bizNo ?? "";
    broken.push({ promise: "list", bizNo, text: `${kind} of ${day} is open` });
  }
  for (const text of await checkReports(environment, startedAt))
    broken.push({ promise: "report", bizNo: "", text });
  return { refunds, events, broken };
}

/** Returns the refunds that the wallet made although they were paid in cash or withdrawn. */
async function paidTwice(
  environment: Environment,
  world: World,
  { bizNo }: Life,
): Promise<readonly string[]> {
  const order = await world.orderOf(bizNo);
  if (order === undefined) return [];
  const texts: string[] = [];
  let cash = 0;
  for (const refund of await world.refundsOf(bizNo)) {
    const inCash = world.cash.get(`${bizNo} ${refund.refundNo}`);
    if (refund.status === "SETTLED" && inCash === undefined)
      texts.push(`refund ${refund.refundNo} is SETTLED, and no cash was paid`);
    const isMade = world.refundAtWallet(outRefundNo(order, refund))?.state === "SUCCESS";
    if (isMade && world.withdrawn.has(`${bizNo} ${refund.refundNo}`))
      texts.push(`refund ${refund.refundNo} was withdrawn, and the wallet made it`);
    if (inCash === undefined) continue;
    cash += inCash;
    if (isMade) texts.push(`refund ${refund.refundNo} was paid in cash and by the wallet`);
  }
  const there = environment.sandbox.refundControls.refundsOf(order.id);
  const sum = there.reduce((total, { state, amount }) => total + (state === "SUCCESS" ? amount : 0), cash);
  if (sum > order.amount) texts.push(`the customer got ${String(sum)} of ${String(order.amount)} cents`);
  return texts;
}

function brokenLimits(
  environment: Environment,
  world: World,
  { bizNo, payChannel }: Life,
  startedAt: number,
): readonly string[] {
  const numbers = world.numbersOf(bizNo);
  const byRefund = new Map<string, RefundCall[]>();
  for (const call of environment.calls[payChannel])
    if (numbers.some((number) => call.refundNo.startsWith(`${number}-`)))
      byRefund.set(call.refundNo, [...(byRefund.get(call.refundNo) ?? []), call]);
  const texts: string[] = [];
  for (const [refundNo, calls] of byRefund) {
    const sends = calls.filter(({ kind }) => kind === "send");
    if (sends.some(({ isHeld }) => isHeld)) texts.push(`${refundNo} was sent although the wallet had it`);
    const pauses = sends.slice(1).map(({ at }, index) => at - (sends[index]?.at ?? 0));
    const closest = Math.min(Infinity, ...pauses);
    if (closest < SEND_PAUSE[payChannel])
      texts.push(`${refundNo} was sent twice within ${String(closest / 1_000)} s`);
    const perDay = new Map<number, number>();
    for (const { at } of calls) {
      const day = Math.floor((at - startedAt) / DAY);
      perDay.set(day, (perDay.get(day) ?? 0) + 1);
    }
    const most = Math.max(...perDay.values());
    if (most > ATTEMPTS_A_DAY * CALLS_PER_ATTEMPT[payChannel])
      texts.push(`${refundNo} took ${String(most)} calls in a day`);
  }
  return texts;
}
