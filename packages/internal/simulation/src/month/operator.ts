import {
  applyAbnormalRefund,
  applyAbnormalRefundInput,
  type Order,
  orThrow,
  parseInput,
  type Refund,
  refundOrder,
  refundOrderInput,
  settleRefund,
  settleRefundInput,
  syncOrder,
} from "@tillkit/core";
import {
  acknowledgeAlarm,
  adoptRefund,
  adoptRefundInput,
  listBillExceptions,
  listBillExceptionsInput,
  resolveBillException,
  resolveBillExceptionInput,
  syncRefund,
  withdrawRefund,
  withdrawRefundInput,
} from "@tillkit/core/operators";
import { type BillException, openAlarms, outRefundNo } from "@tillkit/core/ports";
import type { Environment } from "./environment.js";
import { DAY } from "./month-plan.js";
import { differencesOf, type World } from "./world.js";

const WHO = { operator: "han", reason: "the customer asked for it" };

/** The ids of the refund that an operator acts on. */
type Which = Pick<Refund, "bizNo" | "refundNo">;

/** Requests a refund. Returns the status of the refund, or the name of the failure. */
export async function askForRefund(
  { ports, appId }: Environment,
  { bizNo, refundNo, amount }: Which & { readonly amount?: number | undefined },
  operator = WHO.operator,
): Promise<string> {
  const wanted = { bizNo, refundNo, ...(amount === undefined ? {} : { amount }), ...WHO, operator };
  const input = orThrow(parseInput(refundOrderInput(ports.policy), wanted));
  const outcome = await refundOrder(ports, appId, input);
  return outcome.isOk() ? outcome.value.status : outcome.error.name;
}

/**
 * Works through the refunds, alarms and bill exceptions, as an operator does every day.
 *
 * Only the operator's own commands change Tillkit's data. The operator knows only what the console
 * of a wallet shows.
 *
 * @param isLast - whether nothing happens any more, so that every exception must end now.
 */
export async function workThroughLists(
  environment: Environment,
  world: World,
  isLast: boolean,
): Promise<void> {
  for (const { bizNo } of world.lives) {
    const order = await world.orderOf(bizNo);
    if (order === undefined) continue;
    for (const refund of await world.refundsOf(bizNo)) await endRefund(environment, world, order, refund);
    if (isLast) await syncOrder(environment.ports, environment.appId, bizNo);
    await readAlarms(environment, bizNo);
  }
  for (const exception of await openExceptions(environment))
    await endException(environment, world, exception, isLast);
}

/** Returns the open exceptions of the bills. */
export async function openExceptions({ ports }: Environment): Promise<readonly BillException[]> {
  const query = orThrow(parseInput(listBillExceptionsInput(), { limit: 1_000 }));
  return (await orThrow(listBillExceptions(ports, query))).items;
}

async function endRefund(
  environment: Environment,
  world: World,
  order: Order,
  refund: Refund,
): Promise<void> {
  const { ports, appId } = environment;
  const { bizNo, refundNo, status } = refund;
  const age = environment.now() - refund.gmtModified;
  const choose = (most: number) => world.choose(`${bizNo} ${refundNo}`, most);
  switch (status) {
    case "WAITING_FOR_FUNDS":
      if (age < DAY) return;
      if (choose(3) === 0) await payInCash(environment, world, refund);
      if (choose(3) === 1) await withdraw(environment, world, refund);
      return;
    case "SENT": {
      if (age < ports.policy.refundOverdue) return;
      await syncRefund(ports, appId, { bizNo, refundNo });
      // The operator reads the wallet's console, which the merchant can always open.
      if (world.refundAtWallet(outRefundNo(order, refund)) !== undefined) return;
      await payInCash(environment, world, refund);
      return;
    }
    case "ABNORMAL":
      if (choose(2) === 0) await apply(environment, refund);
      else await settle(environment, world, refund);
      return;
    case "FAILED":
    case "WITHDRAWN":
      if (age < DAY) return;
      if (choose(3) === 0) await settle(environment, world, refund);
      if (choose(3) === 1 && refundNo.length < 8)
        await askForRefund(environment, { bizNo, refundNo: `${refundNo}-2`, amount: refund.amount });
      return;
    case "REQUESTED":
    case "CONFIRMED":
    case "SETTLED":
  }
}

/**
 * Settles a refund that the wallet does not have, and then pays the customer in cash.
 *
 * At the same time, another operator requests two refunds: one with the same number, and one with
 * another number. If the wallet does not answer, Tillkit accepts what the operator read in the
 * wallet's console (`evidence`).
 */
async function payInCash(environment: Environment, world: World, refund: Refund): Promise<void> {
  const { bizNo, refundNo, amount } = refund;
  await Promise.all([
    settle(environment, world, refund, "not in the console of the wallet"),
    askForRefund(environment, { bizNo, refundNo, amount }, "wei"),
    askForRefund(environment, { bizNo, refundNo: `${refundNo}-w`, amount }, "wei"),
  ]);
}

/** Ends a refund that the wallet does not have, so that its amount can be refunded again. */
async function withdraw(
  { ports, appId }: Environment,
  world: World,
  { bizNo, refundNo }: Which,
): Promise<void> {
  const input = orThrow(parseInput(withdrawRefundInput(ports.policy), { bizNo, refundNo, ...WHO }));
  const withdrawn = await withdrawRefund(ports, appId, input);
  if (withdrawn.isOk()) world.noteWithdrawal(bizNo, refundNo);
}

/**
 * Returns whether the customer must still get the money, by what the wallet's console shows.
 *
 * This is always so for an ABNORMAL refund: the wallet has the refund, but could not pay it.
 */
async function isOwed(world: World, { bizNo, amount, status }: Refund): Promise<boolean> {
  const order = await world.orderOf(bizNo);
  return status === "ABNORMAL" || (order !== undefined && amount <= world.leftOf(order.id));
}

/** Records that the customer of a refund is paid in cash, and then pays. */
async function settle(
  { ports, appId }: Environment,
  world: World,
  refund: Refund,
  evidence?: string,
): Promise<void> {
  const { bizNo, refundNo, amount } = refund;
  const isPaid = world.cash.has(`${bizNo} ${refundNo}`);
  if (!isPaid && !(await isOwed(world, refund))) return;
  const parameters = { bizNo, refundNo, ...WHO, ...(evidence === undefined ? {} : { evidence }) };
  const input = orThrow(parseInput(settleRefundInput(ports.policy), parameters));
  const settled = await settleRefund(ports, appId, input);
  if (settled.isOk() && settled.value.status === "SETTLED") world.payCash(bizNo, refundNo, amount);
}

async function apply({ ports, appId }: Environment, { bizNo, refundNo }: Which): Promise<void> {
  const parameters = { bizNo, refundNo, ...WHO, payTo: "merchant" };
  const input = orThrow(parseInput(applyAbnormalRefundInput(ports.policy), parameters));
  await applyAbnormalRefund(ports, appId, input);
}

async function readAlarms({ ports, appId }: Environment, bizNo: string): Promise<void> {
  const timeline = await orThrow(ports.orders.timeline({ appId, bizNo }));
  if (openAlarms(timeline).length === 0) return;
  const by = { operator: WHO.operator, reason: "seen", from: "cli", traceId: "" } as const;
  await orThrow(acknowledgeAlarm(ports, { appId, bizNo }, by));
}

/**
 * Applies the remedy of an exception, and closes the exception if Tillkit's data matches the
 * wallet.
 */
async function endException(
  environment: Environment,
  world: World,
  exception: BillException,
  isLast: boolean,
): Promise<void> {
  const { ports, appId } = environment;
  const { kind, outTradeNo, refundNo, order } = exception;
  // The wallet corrects its bill, and the next comparison closes the exception.
  if (kind === "MOVEMENT_TOTAL" || kind === "LINE_MISSING") return;
  // The bill of a later day may list the payment, or a repeated comparison may close the exception.
  if (!isLast && environment.now() - exception.gmtCreate < 3 * DAY) return;
  if (order === undefined) {
    const life = world.lifeOf(outTradeNo);
    if (life === undefined) return resolve(environment, exception, "not ours");
    // Tillkit has lost the order in a restore, so the merchant gives the money back.
    await world.refundInConsole(outTradeNo);
    // Alipay does not refund a finished trade.
    if (isLast && world.leftOf(outTradeNo) > 0) world.payCash(life.bizNo, "lost", world.leftOf(outTradeNo));
    const left = await differencesOf(environment, world, life.bizNo);
    if (left.length > 0) return;
    return resolve(environment, exception, "the order was lost, and its payment returned");
  }
  if (kind === "REFUND_NOT_HERE" && refundNo !== undefined) {
    const wanted = { bizNo: order.bizNo, walletRefundNo: refundNo, ...WHO };
    await adoptRefund(ports, appId, orThrow(parseInput(adoptRefundInput(ports.policy), wanted)));
  }
  if (kind === "PAYMENT_NOT_HERE") await syncOrder(ports, appId, order.bizNo);
  const differences = await differencesOf(environment, world, order.bizNo);
  if (differences.length === 0) await resolve(environment, exception, "the record follows the wallet");
}

async function resolve({ ports }: Environment, { id }: BillException, note: string): Promise<void> {
  const resolution = { id, operator: WHO.operator, note };
  const input = orThrow(parseInput(resolveBillExceptionInput(), resolution));
  await resolveBillException(ports, input);
}
