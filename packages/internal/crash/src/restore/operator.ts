import {
  importedOrderInput,
  importOrders,
  lastBillDay,
  orThrow,
  parseInput,
  reconcileBills,
  reconcileBillsInput,
  refundOrder,
  refundOrderInput,
} from "@tillkit/core";
import { resolveBillException, resolveBillExceptionInput } from "@tillkit/core/operators";
import type { BillException } from "@tillkit/core/ports";
import type { CallersOrder } from "./load.js";
import type { Service } from "./service.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WHO = { operator: "kim" };
/** China is eight hours ahead of UTC all year. */
const CHINA = 8 * HOUR;

/** What the operator did after the bills. */
export interface OperatorWork {
  readonly imported: number;
  /** Payments of customers who paid a second order, refunded by the operator. */
  readonly refundedTwicePaid: number;
  readonly repeatedRefunds: number;
  readonly resolved: number;
}

/** Waits until 11:00 of the next day in China, when the bills of the day before are published. */
export async function waitForBills({ sandbox, advance }: Service): Promise<void> {
  const inChina = sandbox.clock.now() + CHINA;
  await advance((Math.floor(inChina / DAY) + 1) * DAY + 11 * HOUR - inChina);
}

/** Compares every bill since the day of `from`, from the oldest to the newest. */
export async function compareBills({ ports, sandbox }: Service, from: number): Promise<void> {
  for (let at = from + DAY; lastBillDay(at) <= lastBillDay(sandbox.clock.now()); at += DAY) {
    const input = orThrow(parseInput(reconcileBillsInput(), { day: lastBillDay(at) }));
    for (const outcome of await orThrow(reconcileBills(ports(), input)))
      if (outcome.kind !== "compared") throw new Error(`A bill was not compared: ${outcome.failure.name}`);
  }
}

/** Returns all open exceptions. */
export async function openExceptions({ ports }: Service): Promise<readonly BillException[]> {
  const page = await ports().billExceptions.list({ state: "OPEN", limit: 100_000 });
  return orThrow(page).items.toReversed();
}

/**
 * Handles the open exceptions as the guide on restores says.
 *
 * Imports the orders that the backup lacks from the callers' records, repeats the refunds under
 * their numbers, and refunds a payment whose customer has paid again.
 *
 * @param twicePaid - the `bizNo` of each order that was created and paid again after the restore.
 */
export async function workOff(
  service: Service,
  callers: readonly CallersOrder[],
  twicePaid: ReadonlySet<string>,
): Promise<OperatorWork> {
  const open = await openExceptions(service);
  const refundsOf = (id: string) =>
    open.filter(({ kind, outTradeNo }) => kind === "REFUND_NOT_HERE" && outTradeNo === id);
  const work = { imported: 0, refundedTwicePaid: 0, repeatedRefunds: 0, resolved: 0 };
  const byId = new Map(callers.map((order) => [order.id, order]));
  for (const { outTradeNo, order, kind } of open) {
    const lost = byId.get(outTradeNo);
    if (kind !== "PAYMENT_NOT_HERE" || order !== undefined || lost === undefined) continue;
    const isTwicePaid = twicePaid.has(lost.bizNo);
    const refunded = refundsOf(outTradeNo).reduce((sum, { amountThere = 0 }) => sum + amountThere, 0);
    const bizNo = isTwicePaid ? `${lost.bizNo}-first` : lost.bizNo;
    await importLost(service, { ...lost, bizNo }, refunded);
    work.imported += 1;
    if (!isTwicePaid || refunded > 0) continue;
    await refund(service, { bizNo, refundNo: "paid-twice", amount: lost.amount });
    work.refundedTwicePaid += 1;
  }
  for (const found of open.filter(({ kind }) => kind === "REFUND_NOT_HERE")) {
    const { id, order, outTradeNo, refundNo = "", amountThere = 0 } = found;
    if (order === undefined) {
      const input = { id, ...WHO, note: "part of the imported refundedAmount" };
      const parsed = orThrow(parseInput(resolveBillExceptionInput(), input));
      await orThrow(resolveBillException(service.ports(), parsed));
      work.resolved += 1;
      continue;
    }
    const ownNo = refundNo.slice(outTradeNo.length + 1);
    await refund(service, { bizNo: order.bizNo, refundNo: ownNo, amount: amountThere });
    work.repeatedRefunds += 1;
  }
  return work;
}

/**
 * Imports one order.
 *
 * A PENDING order becomes PAID by a query. An import contains no refunds, so an order with refunds
 * is imported with its refunded amount.
 */
async function importLost({ ports, appId }: Service, lost: CallersOrder, refunded: number): Promise<void> {
  const { bizNo, id, payChannel, amount, createdAt, paidAt = createdAt } = lost;
  const status = refunded === amount ? "REFUND" : "PAID";
  const ended = { paymentStatus: status, pmtDt: paidAt, refundedAmount: refunded };
  const line = {
    appId,
    bizNo,
    id,
    payChannel,
    amount,
    goodsTitle: bizNo,
    customerIdentity: `of-${bizNo}`,
    ...(refunded === 0 ? { paymentStatus: "PENDING" } : ended),
    gmtCreate: createdAt,
    gmtModified: paidAt,
  };
  const input = orThrow(parseInput(importedOrderInput(ports().policy), line));
  const [outcome] = await orThrow(importOrders(ports(), [input], { ...WHO, connect: true }));
  if (outcome?.outcome !== "imported")
    throw new Error(`${bizNo} was not imported: ${JSON.stringify(outcome)}`);
}

async function refund(
  service: Service,
  which: { readonly bizNo: string; readonly refundNo: string; readonly amount: number },
): Promise<void> {
  const { ports, appId } = service;
  // An imported order becomes PAID by the reconciler's query.
  await service.reconcile();
  const given = { ...which, ...WHO, reason: "restored" };
  const input = orThrow(parseInput(refundOrderInput(ports().policy), given));
  const refunded = await refundOrder(ports(), appId, input);
  if (refunded.isErr()) throw new Error(`${which.bizNo} ${which.refundNo}: ${refunded.error.name}`);
}
