import { brokenLink, isOpenRefund, type Order, type RefundStatus, type TimelineEvent } from "@tillkit/core";
import { CARD } from "../actions/buying.js";
import type { BookedRefund, Check, Sale } from "../book.js";
import type { Scene } from "../scene.js";
import { promise } from "../violation.js";

const FORWARD: Readonly<Record<Order["paymentStatus"], readonly Order["paymentStatus"][]>> = {
  PENDING: ["PENDING", "PAID", "CLOSE"],
  CLOSE: ["CLOSE", "PAID"],
  PAID: ["PAID", "REFUND"],
  REFUND: ["REFUND"],
};

/**
 * The allowed next states of an ended refund.
 *
 * A FAILED refund changes only if the wallet executes it after all, or if an operator settles it.
 */
const ENDS: Readonly<Partial<Record<RefundStatus, readonly RefundStatus[]>>> = {
  CONFIRMED: ["CONFIRMED"],
  FAILED: ["FAILED", "CONFIRMED", "SETTLED"],
  SETTLED: ["SETTLED"],
};

/** The terms of an order, which never change. */
const FROZEN = [
  "id",
  "amount",
  "payChannel",
  "paySource",
  "payerId",
  "customerIdentity",
  "payToolId",
  "notifyUrl",
  "expiresAt",
  "gmtCreate",
] as const;

/** Checks that each order moves forward and agrees with its refunds, wallet and timeline. */
export function checkOrders(scene: Scene): Check {
  let before = new Map<string, Sale>();
  return ({ sales }) => {
    const held = new Map(sales.map((sale) => [sale.order.bizNo, sale]));
    for (const bizNo of before.keys()) promise("no order vanishes", held.has(bizNo), () => bizNo);
    for (const { order, events, refunds } of sales) {
      checkHistory(scene, order, events, before.get(order.bizNo));
      checkTold(scene, order);
      checkMoney(scene, order, refunds, events);
      checkRefunds(refunds, events, before.get(order.bizNo)?.refunds ?? []);
    }
    before = held;
  };
}

function checkHistory(
  { world }: Scene,
  order: Order,
  events: readonly TimelineEvent[],
  last: Sale | undefined,
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

/** Checks that ended refunds stay ended, that alarms exist, and that no card number is stored. */
function checkRefunds(
  refunds: readonly BookedRefund[],
  events: readonly TimelineEvent[],
  before: readonly BookedRefund[],
): void {
  for (const { made } of refunds) {
    const { bizNo, refundNo, status } = made;
    const last = before.find((one) => one.made.refundNo === refundNo)?.made.status ?? status;
    const tell = () => `${bizNo} ${refundNo}: ${last} to ${status}`;
    promise("a refund keeps its end", ENDS[last]?.includes(status) ?? true, tell);
    const alarms = events.filter(({ reason, alarm }) => alarm && reason.includes(`refund ${refundNo} `));
    const type = `REFUND_${status}`;
    const needsAlarm = status === "WAITING_FOR_FUNDS" || status === "ABNORMAL";
    promise(
      "who waits for a person has an alarm",
      !needsAlarm || alarms.some((one) => one.type === type),
      tell,
    );
    const next = isOpenRefund(made) === (made.nextTryAt !== undefined);
    promise("an open refund has a due time, and no other has", next, tell);
  }
  promise("no card number is kept", !JSON.stringify([refunds, events]).includes(CARD), () => "");
}

function checkMoney(
  { known }: Scene,
  order: Order,
  refunds: readonly BookedRefund[],
  events: readonly TimelineEvent[],
): void {
  const { bizNo, amount, refundedAmount, paymentStatus } = order;
  const confirmed = refunds
    .filter(({ made }) => made.status === "CONFIRMED" || made.status === "SETTLED")
    .reduce((total, { made }) => total + made.amount, 0);
  promise(
    "refunds add up",
    confirmed === refundedAmount,
    () => `${bizNo}: ${String(confirmed)}, ${String(refundedAmount)}`,
  );
  promise("refunds stay within the amount", refundedAmount <= amount, () => bizNo);
  const whole = refundedAmount === amount;
  promise("REFUND means the whole amount", (paymentStatus === "REFUND") === whole, () => bizNo);
  const reserved = refunds
    .filter(({ made }) => isOpenRefund(made))
    .reduce((total, { made }) => total + made.amount, 0);
  promise("what is reserved is left", refundedAmount + reserved <= amount, () => bizNo);
  // A refund that had waited may continue beside the next one.
  const waited = events.filter(
    ({ type }) => type === "REFUND_WAITING_FOR_FUNDS" || type === "REFUND_ABNORMAL",
  );
  const open = refunds.filter(
    ({ made: { status, refundNo } }) =>
      (status === "REQUESTED" || status === "SENT") &&
      !waited.some(({ reason }) => reason.includes(`refund ${refundNo} `)),
  );
  promise("one refund at a time", open.length <= 1, () => `${bizNo} has ${String(open.length)} under way`);
  for (const { made, there } of refunds) {
    const { refundNo, status } = made;
    const told = known.toldRefunded.has(`${bizNo} ${refundNo}`);
    promise(
      "a confirmed refund stays",
      !told || status === "CONFIRMED",
      () => `${bizNo} ${refundNo}: ${status}`,
    );
    promise(
      "CONFIRMED needs a refund at the wallet",
      status !== "CONFIRMED" || there?.state === "CONFIRMED",
      () => `${bizNo} ${refundNo}`,
    );
  }
}
