import { brokenLink, type Order, outRefundNo, type Refund, type TimelineEvent } from "@tillkit/core";
import { PURCHASES, type Scene } from "../scene.js";
import { promise } from "../violation.js";

/** What must be so of orders after everything that happens. */
export type Check = () => Promise<void>;

const FORWARD: Readonly<Record<Order["paymentStatus"], readonly Order["paymentStatus"][]>> = {
  PENDING: ["PENDING", "PAID", "CLOSE"],
  CLOSE: ["CLOSE", "PAID"],
  PAID: ["PAID", "REFUND"],
  REFUND: ["REFUND"],
};

/** The terms of an order, which nothing ever changes. */
const FROZEN = [
  "id",
  "amount",
  "payChannel",
  "paySource",
  "customerIdentity",
  "payToolId",
  "notifyUrl",
  "expiresAt",
  "gmtCreate",
] as const;

/** One order a `bizNo`, that moves forward, on evidence, and agrees with its refunds, its wallet and its timeline. */
export function checkOrders(scene: Scene): Check {
  const before = new Map<string, { readonly order: Order; readonly events: readonly TimelineEvent[] }>();
  return async () => {
    for (const { bizNo, payChannel } of PURCHASES) {
      const key = { appId: scene.appId, bizNo };
      const { orders, refunds } = scene.world.stores;
      const order = (await orders.find(key))._unsafeUnwrap();
      const last = before.get(bizNo);
      promise("no order vanishes", order !== undefined || last === undefined, () => bizNo);
      if (order === undefined) continue;
      const events = (await orders.timeline(key))._unsafeUnwrap();
      checkHistory(scene, order, events, last);
      before.set(bizNo, { order, events });
      checkTold(scene, order);
      const made = (await refunds.list(key))._unsafeUnwrap();
      await checkMoney(scene, order, made, payChannel);
    }
  };
}

function checkHistory(
  { world }: Scene,
  order: Order,
  events: readonly TimelineEvent[],
  last: { readonly order: Order; readonly events: readonly TimelineEvent[] } | undefined,
): void {
  const { bizNo } = order;
  if (last !== undefined) {
    const changed = FROZEN.filter((field) => last.order[field] !== order[field]);
    promise("an order's terms are frozen", changed.length === 0, () => `${bizNo}: ${changed.join(", ")}`);
    const { paymentStatus: from } = last.order;
    const { paymentStatus: to } = order;
    promise("an order moves forward", FORWARD[from].includes(to), () => `${bizNo}: ${from} to ${to}`);
    const kept = last.events.every(({ hash }, index) => events[index]?.hash === hash);
    promise("a timeline only grows", kept, () => bizNo);
  }
  if (events.length !== last?.events.length) {
    const broken = brokenLink(world.bare.digest, order.id, events);
    promise("a timeline is one chain", broken === undefined, () => `${bizNo} at ${String(broken)}`);
    const proven = events.flatMap(({ type, evidence }) =>
      evidence === undefined ? [] : [`${type} ${evidence}`],
    );
    promise("a message is written down once", new Set(proven).size === proven.length, () => bizNo);
  }
  const moved = events.filter(({ to }) => to !== undefined).at(-1)?.to;
  promise(
    "a timeline says what the order is",
    moved === order.paymentStatus,
    () => `${bizNo}: ${String(moved)}`,
  );
}

function checkTold({ known }: Scene, { bizNo, id, paymentStatus }: Order): void {
  const settled = paymentStatus === "PAID" || paymentStatus === "REFUND";
  promise("PAID needs a payment at the wallet", !settled || known.paid.has(id), () => bizNo);
  promise(
    "what was acknowledged is stored",
    settled || !known.toldPaid.has(bizNo),
    () => `${bizNo} is ${paymentStatus}`,
  );
  const told = known.created.get(bizNo);
  promise("a created order stays", told === undefined || told === id, () => `${bizNo} was ${String(told)}`);
}

async function checkMoney(
  { world, known }: Scene,
  order: Order,
  refunds: readonly Refund[],
  payChannel: Order["payChannel"],
): Promise<void> {
  const { bizNo, amount, refundedAmount, paymentStatus } = order;
  const confirmed = sum(refunds.filter(({ status }) => status === "CONFIRMED"));
  promise(
    "refunds add up",
    confirmed === refundedAmount,
    () => `${bizNo}: ${String(confirmed)}, ${String(refundedAmount)}`,
  );
  promise("refunds stay within the amount", refundedAmount <= amount, () => bizNo);
  const whole = refundedAmount === amount;
  promise("REFUND means the whole amount", (paymentStatus === "REFUND") === whole, () => bizNo);
  const open = refunds.filter(({ status }) => status === "REQUESTED" || status === "SENT");
  promise("one refund at a time", open.length <= 1, () => `${bizNo} has ${String(open.length)} under way`);
  for (const made of refunds) {
    const { refundNo, status } = made;
    const told = known.toldRefunded.has(`${bizNo} ${refundNo}`);
    promise(
      "a confirmed refund stays",
      !told || status === "CONFIRMED",
      () => `${bizNo} ${refundNo}: ${status}`,
    );
    if (status !== "CONFIRMED") continue;
    const there = await refundAtWallet(world, payChannel, order, made);
    promise(
      "CONFIRMED needs a refund at the wallet",
      there?.state === "CONFIRMED",
      () => `${bizNo} ${refundNo}`,
    );
  }
}

/** What the wallet's book says of a refund. */
export async function refundAtWallet(
  { bare, stores }: Scene["world"],
  payChannel: Order["payChannel"],
  order: Order,
  made: Pick<Refund, "refundNo">,
) {
  const { payToolId, id, amount: orderAmount } = order;
  const refundNo = outRefundNo(order, made);
  const account = (await stores.payTools.find(payToolId))._unsafeUnwrap();
  if (account === undefined) return undefined;
  const request = { outTradeNo: id, refundNo, amount: 0, orderAmount, reason: "", notifyUrl: "" };
  return (await bare.wallets[payChannel].queryRefund(account, request, { deadline: 1 }))._unsafeUnwrap();
}

function sum(refunds: readonly Refund[]): number {
  return refunds.reduce((total, { amount }) => total + amount, 0);
}
