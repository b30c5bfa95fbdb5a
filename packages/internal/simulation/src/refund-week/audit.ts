import { type Order, outRefundNo, PAY_CHANNELS, type PayChannel, type Refund } from "@tillkit/core";
import type { Environment } from "./environment.js";
import type { RefundCall } from "./refund-calls.js";
import { DAY, MINUTE } from "./week-plan.js";

/** One refund at the end of the week. */
export interface AuditedRefund {
  readonly payChannel: PayChannel;
  readonly refundNo: string;
  readonly status: Refund["status"];
  /** The alarms on the order's timeline that name the refund. */
  readonly alarms: readonly string[];
  /** The number of calls about the refund on each day. */
  readonly callsByDay: readonly number[];
  readonly sent: number;
  readonly requestCount: number;
  /** The shortest time between two sends, in milliseconds. */
  readonly closestSends: number;
}

/** The money of one wallet at the end of the week, in cents. */
export interface AuditedMoney {
  readonly payChannel: PayChannel;
  readonly paid: number;
  /** Refunded through the wallet according to the record. */
  readonly refundedHere: number;
  /** Refunded to customers according to the wallet. */
  readonly refundedThere: number;
  /** Open in the record and known to the wallet. */
  readonly underWay: number;
  /** Paid to the customer by other means; the wallet keeps the money. */
  readonly settled: number;
  readonly balanceThere: number;
}

/** The results of a week, and every violated promise. */
export interface Audit {
  readonly refunds: readonly AuditedRefund[];
  readonly money: readonly AuditedMoney[];
  readonly broken: readonly string[];
}

/** WeChat Pay accepts one refund call per minute for one order. */
const SEND_PAUSE = MINUTE;
/** The maximum of attempts at one refund on a day: four in the first hour, 23 more, one spare. */
const ATTEMPTS_A_DAY = 28;
/**
 * Calls per attempt: a query and a send.
 *
 * Alipay's response to a send does not say whether an earlier call moved the money, so its adapter
 * queries once more.
 */
const CALLS_PER_ATTEMPT: Readonly<Record<PayChannel, number>> = { WALLET_A: 2, WALLET_B: 3 };

const ENDED: ReadonlySet<Refund["status"]> = new Set(["CONFIRMED", "FAILED", "SETTLED"]);

/** Compares the record with the wallets and with the calls on the wire. */
export async function auditWeek(
  environment: Environment,
  orders: readonly Order[],
  startedAt: number,
): Promise<Audit> {
  const broken: string[] = [];
  const refunds: AuditedRefund[] = [];
  const money: AuditedMoney[] = [];
  for (const payChannel of PAY_CHANNELS) {
    const sums = { refundedHere: 0, refundedThere: 0, underWay: 0, settled: 0 };
    const ours = orders.filter((order) => order.payChannel === payChannel);
    for (const order of ours) {
      for (const refund of await refundsOf(environment, order)) {
        const there = await environment.refundThere(outRefundNo(order, refund));
        const audited = await auditRefund(environment, order, refund, startedAt);
        refunds.push(audited);
        broken.push(...brokenBy(audited), ...contradiction(audited, there));
        if (refund.status === "CONFIRMED") sums.refundedHere += refund.amount;
        if (there === "SUCCESS") sums.refundedThere += refund.amount;
        if (refund.status === "SETTLED") sums.settled += refund.amount;
        if (!ENDED.has(refund.status) && there !== undefined) sums.underWay += refund.amount;
      }
    }
    const paid = ours.reduce((sum, { amount }) => sum + amount, 0);
    const balanceThere = environment.sandbox.simulatorControls.balance(payChannel);
    money.push({ payChannel, paid, balanceThere, ...sums });
    if (sums.refundedHere !== sums.refundedThere)
      broken.push(`${payChannel}: refunded ${sums.refundedHere} here, ${sums.refundedThere} at the wallet`);
    if (paid - sums.refundedHere - sums.underWay - sums.settled !== balanceThere)
      broken.push(`${payChannel}: the balance at the wallet is ${balanceThere}, which does not add up`);
  }
  return { refunds, money, broken };
}

async function refundsOf({ ports }: Environment, { appId, bizNo }: Order): Promise<readonly Refund[]> {
  return (await ports.refunds.list({ appId, bizNo }))._unsafeUnwrap();
}

async function auditRefund(
  { ports, proxies }: Environment,
  order: Order,
  refund: Refund,
  startedAt: number,
): Promise<AuditedRefund> {
  const { appId, bizNo, payChannel } = order;
  const timeline = (await ports.orders.timeline({ appId, bizNo }))._unsafeUnwrap();
  const refundNo = outRefundNo(order, refund);
  const calls = proxies[payChannel].calls.filter((call) => call.refundNo === refundNo);
  return {
    payChannel,
    refundNo: `${bizNo} ${refund.refundNo}`,
    status: refund.status,
    alarms: timeline
      .filter(({ alarm, refundNo }) => alarm && refundNo === refund.refundNo)
      .map(({ type }) => type),
    callsByDay: byDay(calls, startedAt),
    sent: calls.filter(({ kind }) => kind === "send").length,
    requestCount: calls.filter(({ kind }) => kind === "query").length,
    closestSends: closest(calls.filter(({ kind }) => kind === "send")),
  };
}

function byDay(calls: readonly RefundCall[], startedAt: number): readonly number[] {
  const counts: number[] = [];
  for (const { at } of calls) {
    const day = Math.floor((at - startedAt) / DAY);
    while (counts.length <= day) counts.push(0);
    counts[day] = (counts[day] ?? 0) + 1;
  }
  return counts;
}

function closest(calls: readonly RefundCall[]): number {
  const pauses = calls.slice(1).map(({ at }, index) => at - (calls[index]?.at ?? 0));
  return Math.min(Infinity, ...pauses);
}

function brokenBy(refund: AuditedRefund): readonly string[] {
  const { payChannel, refundNo, status, alarms, callsByDay, closestSends } = refund;
  const mostCalls = ATTEMPTS_A_DAY * CALLS_PER_ATTEMPT[payChannel];
  return [
    ENDED.has(status) || alarms.length > 0 ? [] : [`${refundNo} is ${status} and has no alarm`],
    closestSends >= SEND_PAUSE ? [] : [`${refundNo} was sent twice within ${closestSends / 1_000} s`],
    Math.max(0, ...callsByDay) <= mostCalls
      ? []
      : [`${refundNo} took ${Math.max(...callsByDay)} calls in a day`],
  ].flat();
}

/** Returns a text if the state at the wallet contradicts the state of the record. */
function contradiction({ refundNo, status }: AuditedRefund, there: string | undefined): readonly string[] {
  const fits: Readonly<Record<Refund["status"], readonly (string | undefined)[]>> = {
    REQUESTED: [undefined],
    SENT: [undefined, "PROCESSING", "SUCCESS"],
    WAITING_FOR_FUNDS: [undefined],
    ABNORMAL: ["ABNORMAL"],
    CONFIRMED: ["SUCCESS"],
    FAILED: [undefined, "CLOSED"],
    WITHDRAWN: [undefined],
    SETTLED: ["ABNORMAL"],
  };
  return fits[status].includes(there)
    ? []
    : [`${refundNo} is ${status} here and ${there ?? "unknown"} at the wallet`];
}
