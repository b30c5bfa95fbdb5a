import { type Order, orThrow, type Refund } from "@tillkit/core";
import { outRefundNo } from "@tillkit/core/ports";
import type { ShownRefund } from "@tillkit/sandbox";
import { byteStream } from "../choice-source.js";
import type { Environment } from "./environment.js";
import type { Life } from "./month-plan.js";

/** A refund that a merchant makes in the wallet's console. */
interface ConsoleWish {
  readonly outTradeNo: string;
  readonly amount?: number | undefined;
  readonly notify?: boolean | undefined;
}

/** What people outside the service know: the month's orders, and the refunds paid in cash. */
export interface World {
  readonly lives: readonly Life[];
  /** Cents that customers got in cash, by `bizNo` and `refundNo`. */
  readonly cash: ReadonlyMap<string, number>;
  /** The refunds that an operator has withdrawn, by `bizNo` and `refundNo`. */
  readonly withdrawn: ReadonlySet<string>;
  /** When cash was paid last, or a refund withdrawn, in epoch milliseconds. */
  lastDecisionAt(): number;
  payCash(bizNo: string, refundNo: string, cents: number): void;
  noteWithdrawal(bizNo: string, refundNo: string): void;
  /** Records the number of an order at its wallet. */
  know(bizNo: string, outTradeNo: string): void;
  /** Returns the life of the order with this number at its wallet. */
  lifeOf(outTradeNo: string): Life | undefined;
  /** Returns every number that the order had at its wallet. */
  numbersOf(bizNo: string): readonly string[];
  orderOf(bizNo: string): Promise<Order | undefined>;
  refundsOf(bizNo: string): Promise<readonly Refund[]>;
  refundAtWallet(refundNo: string): ShownRefund | undefined;
  /** Refunds in the wallet's console, at most what `leftOf` returns. Ignores a failure. */
  refundInConsole(outTradeNo: string, wanted?: Omit<ConsoleWish, "outTradeNo">): Promise<void>;
  /** Returns the cents of an order minus its cash and its wallet refunds that are not CLOSED. */
  leftOf(outTradeNo: string): number;
  /** Returns a number from 0 to `most - 1` that depends only on the seed and the name. */
  choose(name: string, most: number): number;
}

/** Opens the world of a seed. */
export function openWorld(environment: Environment, lives: readonly Life[], seed: number): World {
  const cash = new Map<string, number>();
  const byNumber = new Map<string, Life>();
  const numbers = new Map<string, string[]>();
  const withdrawn = new Set<string>();
  let lastDecisionAt = 0;
  const { sandbox, appId } = environment;
  const leftOf = (outTradeNo: string) => {
    const bizNo = byNumber.get(outTradeNo)?.bizNo ?? "";
    let left = amountAt(environment, outTradeNo);
    for (const { state, amount } of sandbox.refundControls.refundsOf(outTradeNo))
      if (state !== "CLOSED") left -= amount;
    for (const [name, cents] of cash) if (name.startsWith(`${bizNo} `)) left -= cents;
    return left;
  };
  return {
    lives,
    cash,
    withdrawn,
    lastDecisionAt: () => lastDecisionAt,
    payCash: (bizNo, refundNo, cents) => {
      cash.set(`${bizNo} ${refundNo}`, cents);
      lastDecisionAt = environment.now();
    },
    noteWithdrawal: (bizNo, refundNo) => {
      withdrawn.add(`${bizNo} ${refundNo}`);
      lastDecisionAt = environment.now();
    },
    know: (bizNo, outTradeNo) => {
      const life = lives.find((one) => one.bizNo === bizNo);
      if (life !== undefined) byNumber.set(outTradeNo, life);
      const known = numbers.get(bizNo) ?? [];
      if (!known.includes(outTradeNo)) numbers.set(bizNo, [...known, outTradeNo]);
    },
    lifeOf: (outTradeNo) => byNumber.get(outTradeNo),
    numbersOf: (bizNo) => numbers.get(bizNo) ?? [],
    orderOf: async (bizNo) => await orThrow(environment.ports.orders.find({ appId, bizNo })),
    refundsOf: async (bizNo) => await orThrow(environment.ports.refunds.list({ appId, bizNo })),
    refundAtWallet: (refundNo) => sandbox.refundControls.refund(refundNo).unwrapOr(undefined),
    refundInConsole: async (outTradeNo, { amount, notify } = {}) => {
      const most = leftOf(outTradeNo);
      const wish: ConsoleWish = { outTradeNo, amount: Math.min(amount ?? most, most), notify };
      // The wallet may refuse: it lacks money, or the trade has finished.
      if (most > 0) await environment.control("/console-refund", wish).catch(() => undefined);
    },
    leftOf,
    choose: (name, most) => {
      const [first = 0, second = 0] = byteStream(`${String(seed)} ${name}`)(2);
      return (first + 256 * second) % most;
    },
  };
}

/** Returns whether the wallet has the payment of an order. */
export function isPaidAtWallet({ sandbox }: Environment, outTradeNo: string): boolean {
  const state = sandbox.simulatorControls.order(outTradeNo).unwrapOr(undefined)?.state;
  return state === "PAID" || state === "REFUNDED";
}

/** Returns how Tillkit's data about an order differs from its wallet, to the cent. */
export async function differencesOf(
  environment: Environment,
  world: World,
  bizNo: string,
): Promise<readonly string[]> {
  const differences: string[] = [];
  const order = await world.orderOf(bizNo);
  const { refundControls } = environment.sandbox;
  for (const outTradeNo of world.numbersOf(bizNo)) {
    if (outTradeNo === order?.id) continue;
    // Tillkit does not have this order.
    const left = world.leftOf(outTradeNo);
    const isEnded = refundControls.refundsOf(outTradeNo).every(({ state }) => state !== "PROCESSING");
    if (isPaidAtWallet(environment, outTradeNo) && (left !== 0 || !isEnded))
      differences.push(`the wallet has ${String(left)} cents of the lost order ${outTradeNo}`);
  }
  if (order === undefined) return differences;
  const isPaidHere = order.paymentStatus === "PAID" || order.paymentStatus === "REFUND";
  const isPaidThere = isPaidAtWallet(environment, order.id);
  if (isPaidHere !== isPaidThere)
    differences.push(
      `the order is ${order.paymentStatus} here, and ${isPaidThere ? "paid" : "not paid"} at the wallet`,
    );
  const refunds = await world.refundsOf(bizNo);
  const there = refundControls.refundsOf(order.id);
  for (const { refundNo, amount, state } of there) {
    // Two stored refunds can have one number: a failed one, and one that the wallet made.
    const same = refunds.filter((refund) => outRefundNo(order, refund) === refundNo);
    const here = same.find(({ status }) => status === "CONFIRMED") ?? same[0];
    if (state === "SUCCESS" && here?.status !== "CONFIRMED")
      differences.push(`refund ${refundNo} is ${here?.status ?? "unknown"} here, and done at the wallet`);
    if (state === "PROCESSING" && here === undefined)
      differences.push(`refund ${refundNo} is unknown here, and in progress at the wallet`);
    if (state === "SUCCESS" && here !== undefined && here.amount !== amount)
      differences.push(
        `refund ${refundNo} is ${String(here.amount)} here, and ${String(amount)} at the wallet`,
      );
  }
  for (const refund of refunds) {
    if (refund.status !== "CONFIRMED") continue;
    const number = outRefundNo(order, refund);
    if (there.find(({ refundNo }) => refundNo === number)?.state !== "SUCCESS")
      differences.push(`refund ${number} is CONFIRMED here, and not done at the wallet`);
  }
  const counted = refunds.filter(({ status }) => status === "CONFIRMED" || status === "SETTLED");
  const refunded = counted.reduce((sum, { amount }) => sum + amount, 0);
  if (order.refundedAmount !== refunded)
    differences.push(
      `refundedAmount is ${String(order.refundedAmount)}, and the refunds are ${String(refunded)}`,
    );
  if ((order.paymentStatus === "REFUND") !== (isPaidHere && refunded >= order.amount))
    differences.push(
      `${String(refunded)} of ${String(order.amount)} are refunded, and it is ${order.paymentStatus}`,
    );
  return differences;
}

function amountAt({ sandbox }: Environment, outTradeNo: string): number {
  return sandbox.simulatorControls.order(outTradeNo).unwrapOr(undefined)?.amount ?? 0;
}
