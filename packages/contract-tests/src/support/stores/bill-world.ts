import { createHash, randomBytes } from "node:crypto";
import {
  type BillException,
  type BillExceptionState,
  defaultPolicy,
  type FlowLine,
  type Order,
  outRefundNo,
  parseInput,
  type Ports,
  type ReconciledBill,
  reconcileBills,
  reconcileBillsInput,
  type Refund,
  type StatedLine,
  type Stores,
  type UnreadableLine,
  type WalletAccount,
} from "@tillkit/core";
import { aConfirmation, anAccount, anId, AT, DAY, unique } from "../fixtures.js";
import { expectOk } from "../opening.js";
import { aPaidOrder, aRequestedRefund } from "./paid-order.js";
import { type ScriptedBills, scriptedBills } from "./scripted-bills.js";

/** The day of `AT` in China, and the next. */
export const FIFTEENTH = "2026-01-15";
export const SIXTEENTH = "2026-01-16";

/** A merchant whose bills are compared with the record in the stores under test. */
export interface BillWorld extends Pick<ScriptedBills, "days" | "refunds"> {
  readonly account: WalletAccount;
  readonly stores: Stores;
  /** An order that was paid at the instant. */
  readonly paid: (amount?: number, at?: number) => Promise<Order>;
  /** A refund of an order, confirmed at the instant. */
  readonly refunded: (order: Order, amount: number, at?: number) => Promise<Refund>;
  /** A refund of an order that has no outcome yet. */
  readonly requested: (order: Order, amount: number) => Promise<Refund>;
  /** Compares the bills of a day; a later call is a later run. */
  readonly reconcile: (day?: string) => Promise<ReconciledBill>;
  /** Compares the bills of a day, and fails if they are compared. Returns why they are not. */
  readonly refuse: (day?: string) => Promise<string>;
  /** Several runs at once. */
  readonly reconcileAtOnce: (runs: number) => Promise<void>;
  /** The exceptions in a state: kind, order, refund and amounts, in order. */
  readonly listed: (state?: BillExceptionState) => Promise<readonly string[]>;
  readonly exceptions: (state?: BillExceptionState) => Promise<readonly BillException[]>;
}

/** Opens the world of one merchant over stores that hold nothing. */
export async function openBillWorld(stores: Stores): Promise<BillWorld> {
  const account = await expectOk(stores.payTools.put(anAccount({ accountId: unique("19") })));
  const { wallet, days, refunds } = scriptedBills();
  let now = AT + 3 * DAY;
  const ports: Omit<Ports, "smsSender" | "notificationsUrl"> = {
    ...stores,
    wallets: { WALLET_A: wallet, WALLET_B: { ...wallet, payChannel: "WALLET_B" } },
    clock: { now: () => now, sleep: async () => undefined },
    random: { bytes: (count) => randomBytes(count) },
    digest: {
      sha256: (text) => createHash("sha256").update(text).digest("hex"),
      keyed: (text) => [`v1:${text}`],
    },
    observer: { notice: () => undefined },
    policy: defaultPolicy,
  };
  const run = (day: string) =>
    expectOk(reconcileBills(ports, parseInput(reconcileBillsInput(), { day })._unsafeUnwrap()));
  const outcomeOf = async (day: string) => {
    now += 1;
    const [outcome] = await run(day);
    if (outcome === undefined) throw new Error("There is no bill to compare.");
    return outcome;
  };
  const exceptions = async (state: BillExceptionState = "OPEN") =>
    (await expectOk(stores.billExceptions.list({ state, offset: 0, limit: 1_000 }))).items;
  return {
    account,
    stores,
    days,
    refunds,
    // `aPaidOrder` pays 7 milliseconds before it says so.
    paid: (amount = 600, at = AT) => aPaidOrder(stores, { payToolId: account.id, amount }, at + 7),
    refunded: async (order, amount, at = AT) => {
      const { refundNo } = await aRequestedRefund(stores, order, { amount });
      const confirmed = await expectOk(stores.refunds.confirm(order, refundNo, aConfirmation({ at })));
      if (confirmed === undefined) throw new Error("There is no refund to confirm.");
      return confirmed.refund;
    },
    requested: (order, amount) => aRequestedRefund(stores, order, { amount }),
    reconcile: async (day = FIFTEENTH) => {
      const outcome = await outcomeOf(day);
      if (outcome.kind === "compared") return outcome.reconciled;
      throw new Error(`The bill is not compared: ${JSON.stringify(outcome.failure)}`);
    },
    refuse: async (day = FIFTEENTH) => {
      const outcome = await outcomeOf(day);
      if (outcome.kind === "compared") throw new Error("The bill is compared.");
      return "detail" in outcome.failure ? outcome.failure.detail : outcome.failure.name;
    },
    reconcileAtOnce: async (runs) => {
      now += 1;
      await Promise.all(Array.from({ length: runs }, () => run(FIFTEENTH)));
    },
    exceptions,
    listed: async (state) => (await exceptions(state)).map(textOf).toSorted(),
  };
}

/** An exception as one text. */
function textOf({ kind, outTradeNo, refundNo = "", amountThere, amountHere }: BillException): string {
  return `${kind} ${outTradeNo} ${refundNo} ${String(amountThere)} ${String(amountHere)}`;
}

/** The line of a payment in a trade bill, settled with a fee of one in a hundred. */
export function paymentLine({ id, amount }: Pick<Order, "id" | "amount">): StatedLine {
  const no = `42${id}`;
  const settlement = { no, received: amount, fee: Math.round(amount / 100) };
  return { kind: "payment", outTradeNo: id, amount, state: "DONE", walletTradeNo: no, settlement };
}

/** The line of a refund in a trade bill; the fee comes back. */
export function refundLine(order: Order, refund: Pick<Refund, "refundNo" | "amount">): StatedLine {
  const refundNo = outRefundNo(order, refund);
  const { amount } = refund;
  const settlement = { no: `50${refundNo}`, received: -amount, fee: -Math.round(amount / 100) };
  return { ...paymentLine(order), kind: "refund", refundNo, amount, settlement };
}

/** The movements that a line leads to, without balances. */
export function movementsOf({ kind, outTradeNo, refundNo, settlement }: StatedLine): readonly FlowLine[] {
  if (settlement === undefined) return [];
  const { no: settlementNo, received, fee } = settlement;
  const numbers = { at: AT, settlementNo, merchantNo: refundNo ?? outTradeNo };
  return [
    { ...numbers, kind, amount: received },
    { ...numbers, kind: "fee", amount: -fee },
  ];
}

/** The movements with balances that follow from each other, from `opening` on. */
export function balanced(movements: readonly FlowLine[], opening = 10_000): readonly FlowLine[] {
  let balance = opening;
  return movements.map((movement) => {
    balance += movement.amount;
    return { ...movement, balance };
  });
}

/** A line that cannot be read, with `changes`. */
export function anUnreadableLine(changes: Partial<UnreadableLine> = {}): UnreadableLine {
  return { kind: "unreadable", at: 7, digest: anId(), problem: "it has 26 fields instead of 27", ...changes };
}
