import { findTimelineBreak, type Order, type RefundStatus, type TimelineEvent } from "@tillkit/core";
import { orderDifferences } from "@tillkit/core/operators";
import { isOpenRefund } from "@tillkit/core/ports";
import { CARD } from "../actions/buying.js";
import type { RefundSnapshot, InvariantCheck, Sale } from "../snapshot.js";
import type { Scenario } from "../scenario.js";
import { invariant } from "../violation.js";

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
export function checkOrders(scenario: Scenario): InvariantCheck {
  let before = new Map<string, Sale>();
  return ({ sales }) => {
    const stored = new Map(sales.map((sale) => [sale.order.bizNo, sale]));
    for (const bizNo of before.keys()) invariant("no order disappears", stored.has(bizNo), () => bizNo);
    for (const { order, events, refunds } of sales) {
      checkHistory(scenario, order, events, before.get(order.bizNo));
      checkReportedOrder(scenario, order);
      checkMoney(scenario, order, refunds, events);
      const differences = orderDifferences(
        order,
        refunds.map(({ made }) => made),
        events,
      );
      invariant("no order contradicts its timeline", differences.length === 0, () =>
        JSON.stringify({ bizNo: order.bizNo, differences }),
      );
      checkRefunds(refunds, events, before.get(order.bizNo)?.refunds ?? []);
    }
    before = stored;
  };
}

function checkHistory(
  { simulation }: Scenario,
  order: Order,
  events: readonly TimelineEvent[],
  last: Sale | undefined,
): void {
  const { bizNo } = order;
  if (last !== undefined) {
    const changed = FROZEN.filter((field) => last.order[field] !== order[field]);
    invariant(
      "an order's terms do not change",
      changed.length === 0,
      () => `${bizNo}: ${changed.join(", ")}`,
    );
    const { paymentStatus: from } = last.order;
    const { paymentStatus: to } = order;
    invariant("an order moves forward", FORWARD[from].includes(to), () => `${bizNo}: ${from} to ${to}`);
    const kept = last.events.every(({ hash }, index) => events[index]?.hash === hash);
    invariant("a timeline only grows", kept, () => bizNo);
  }
  if (events.length !== last?.events.length) {
    const broken = findTimelineBreak(simulation.bare.digest, order.id, events);
    invariant(
      "a timeline has an intact hash chain",
      broken === undefined,
      () => `${bizNo} at ${String(broken)}`,
    );
    const trusted = events.flatMap(({ type, evidence }) =>
      evidence === undefined ? [] : [`${type} ${evidence}`],
    );
    invariant("a message is recorded once", new Set(trusted).size === trusted.length, () => bizNo);
  }
  const moved = events.filter(({ to }) => to !== undefined).at(-1)?.to;
  invariant(
    "a timeline matches the order's status",
    moved === order.paymentStatus,
    () => `${bizNo}: ${String(moved)}`,
  );
}

function checkReportedOrder({ known }: Scenario, { bizNo, id, paymentStatus }: Order): void {
  const settled = paymentStatus === "PAID" || paymentStatus === "REFUND";
  invariant("PAID needs a payment at the wallet", !settled || known.paid.has(id), () => bizNo);
  invariant(
    "an acknowledged change is stored",
    settled || !known.notifiedPaid.has(bizNo),
    () => `${bizNo} is ${paymentStatus}`,
  );
  const reported = known.created.get(bizNo);
  invariant(
    "a created order stays",
    reported === undefined || reported === id,
    () => `${bizNo} was ${String(reported)}`,
  );
}

/** Checks that ended refunds stay ended, that alarms exist, and that no card number is stored. */
function checkRefunds(
  refunds: readonly RefundSnapshot[],
  events: readonly TimelineEvent[],
  before: readonly RefundSnapshot[],
): void {
  for (const { made } of refunds) {
    const { bizNo, refundNo, status } = made;
    const last = before.find((one) => one.made.refundNo === refundNo)?.made.status ?? status;
    const describeState = () => `${bizNo} ${refundNo}: ${last} to ${status}`;
    invariant("an ended refund does not change", ENDS[last]?.includes(status) ?? true, describeState);
    const alarms = events.filter((event) => event.alarm && event.refundNo === refundNo);
    const type = `REFUND_${status}`;
    const needsAlarm = status === "WAITING_FOR_FUNDS" || status === "ABNORMAL";
    invariant(
      "a refund that waits for a person has an alarm",
      !needsAlarm || alarms.some((one) => one.type === type),
      describeState,
    );
    const next = isOpenRefund(made) === (made.nextTryAt !== undefined);
    invariant("an open refund has a due time, and no other has", next, describeState);
  }
  invariant("no card number is stored", !JSON.stringify([refunds, events]).includes(CARD), () => "");
}

function checkMoney(
  { known }: Scenario,
  order: Order,
  refunds: readonly RefundSnapshot[],
  events: readonly TimelineEvent[],
): void {
  const { bizNo, amount, refundedAmount, paymentStatus } = order;
  const confirmed = refunds
    .filter(({ made }) => made.status === "CONFIRMED" || made.status === "SETTLED")
    .reduce((total, { made }) => total + made.amount, 0);
  invariant(
    "refunds add up",
    confirmed === refundedAmount,
    () => `${bizNo}: ${String(confirmed)}, ${String(refundedAmount)}`,
  );
  invariant("refunds stay within the amount", refundedAmount <= amount, () => bizNo);
  const whole = refundedAmount === amount;
  invariant("REFUND means the whole amount", (paymentStatus === "REFUND") === whole, () => bizNo);
  const reserved = refunds
    .filter(({ made }) => isOpenRefund(made))
    .reduce((total, { made }) => total + made.amount, 0);
  invariant(
    "reserved amounts stay within the order's amount",
    refundedAmount + reserved <= amount,
    () => bizNo,
  );
  // A refund that had waited may continue beside the next one.
  const waited = events.filter(
    ({ type }) => type === "REFUND_WAITING_FOR_FUNDS" || type === "REFUND_ABNORMAL",
  );
  const open = refunds.filter(
    ({ made: { status, refundNo } }) =>
      (status === "REQUESTED" || status === "SENT") && !waited.some((event) => event.refundNo === refundNo),
  );
  invariant("one refund at a time", open.length <= 1, () => `${bizNo} has ${String(open.length)} under way`);
  for (const { made, there } of refunds) {
    const { refundNo, status } = made;
    const reported = known.notifiedRefunded.has(`${bizNo} ${refundNo}`);
    invariant(
      "a confirmed refund stays",
      !reported || status === "CONFIRMED",
      () => `${bizNo} ${refundNo}: ${status}`,
    );
    invariant(
      "CONFIRMED needs a refund at the wallet",
      status !== "CONFIRMED" || there?.state === "CONFIRMED",
      () => `${bizNo} ${refundNo}`,
    );
  }
}
