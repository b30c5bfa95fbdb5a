import { createHash, randomBytes } from "node:crypto";
import {
  defaultPolicy,
  type Order,
  orThrow,
  parseInput,
  type Ports,
  type ReconciledBill,
  reconcileBills,
  reconcileBillsInput,
  type Refund,
  type Stores,
  type WalletAccount,
} from "@tillkit/core";
import {
  type BillException,
  type BillExceptionState,
  type FlowLine,
  type KeptBillLine,
  outRefundNo,
  type StatedLine,
  type UnreadableLine,
} from "@tillkit/core/ports";
import { aConfirmation, anAccount, anId, FIXTURE_TIME, DAY, unique } from "../fixtures.js";
import { expectOk } from "../open-before-each.js";
import { aPaidOrder, aRequestedRefund } from "./paid-order.js";
import { type ScriptedBills, scriptedBills } from "./scripted-bills.js";

/** The day of `FIXTURE_TIME` in China. */
export const FIFTEENTH = "2026-01-15";
/** The day after {@link FIFTEENTH}. */
export const SIXTEENTH = "2026-01-16";

/** A merchant whose bills a test compares with the stores. */
export interface BillFixture extends Pick<ScriptedBills, "days" | "refunds"> {
  readonly account: WalletAccount;
  readonly stores: Stores;
  /** Stores an order that was paid at the time `at`. */
  readonly paid: (amount?: number, at?: number) => Promise<Order>;
  /** Stores a refund of an order. The wallet confirmed the refund at the time `at`. */
  readonly refunded: (order: Order, amount: number, at?: number) => Promise<Refund>;
  /** Stores a REQUESTED refund of an order. */
  readonly requested: (order: Order, amount: number) => Promise<Refund>;
  /** Compares the bills of a day. Each call is a later run. */
  readonly reconcile: (day?: string) => Promise<ReconciledBill>;
  /** Compares the bills of a day at the time `at`. */
  readonly reconcileAt: (at: number, day: string) => Promise<ReconciledBill>;
  /** Returns why the bills of a day cannot be compared. Fails the test if they can. */
  readonly refuse: (day?: string) => Promise<string>;
  /** Compares the bills of one day in several concurrent runs. */
  readonly reconcileAtOnce: (runs: number) => Promise<void>;
  /** Returns the exceptions in a state as sorted texts: kind, order, refund and amounts. */
  readonly listed: (state?: BillExceptionState) => Promise<readonly string[]>;
  /** Returns the kept lines of the day's bill. */
  readonly keptLines: (day?: string) => Promise<readonly KeptBillLine[]>;
  readonly exceptions: (state?: BillExceptionState) => Promise<readonly BillException[]>;
}

/** Creates the test environment of one merchant over empty stores. */
export async function openBillFixture(stores: Stores): Promise<BillFixture> {
  const account = await expectOk(stores.payTools.put(anAccount({ accountId: unique("19") })));
  const { wallet, days, refunds } = scriptedBills();
  let now = FIXTURE_TIME + 3 * DAY;
  const ports: Omit<Ports, "smsSender" | "notificationsUrl"> = {
    ...stores,
    wallets: { WALLET_A: wallet, WALLET_B: { ...wallet, payChannel: "WALLET_B" } },
    clock: { now: () => now, sleep: async () => undefined },
    random: { bytes: (count) => randomBytes(count) },
    digest: {
      sha256: (text) => createHash("sha256").update(text).digest("hex"),
      keyed: (text) => [`v1:${text}`],
    },
    observer: { onEvent: () => undefined },
    policy: defaultPolicy,
  };
  const run = (day: string) =>
    expectOk(reconcileBills(ports, orThrow(parseInput(reconcileBillsInput(), { day }))));
  const outcomeOf = async (day: string) => {
    now += 1;
    const [outcome] = await run(day);
    if (outcome === undefined) throw new Error("There is no bill to compare.");
    return outcome;
  };
  const reconcile = async (day = FIFTEENTH) => {
    const outcome = await outcomeOf(day);
    if (outcome.kind === "compared") return outcome.reconciled;
    throw new Error(`The bill is not compared: ${JSON.stringify(outcome.failure)}`);
  };
  const exceptions = async (state: BillExceptionState = "OPEN") =>
    (await expectOk(stores.billExceptions.list({ state, limit: 1_000 }))).items.toReversed();
  return {
    account,
    stores,
    days,
    refunds,
    // The payment time of `aPaidOrder` is 7 milliseconds before the time of its event.
    paid: (amount = 600, at = FIXTURE_TIME) => aPaidOrder(stores, { payToolId: account.id, amount }, at + 7),
    refunded: async (order, amount, at = FIXTURE_TIME) => {
      const { refundNo } = await aRequestedRefund(stores, order, { amount });
      const confirmed = await expectOk(stores.refunds.confirm(order, refundNo, aConfirmation({ at })));
      if (confirmed === undefined) throw new Error("There is no refund to confirm.");
      return confirmed.refund;
    },
    requested: (order, amount) => aRequestedRefund(stores, order, { amount }),
    reconcile,
    reconcileAt: (at, day) => {
      now = at;
      return reconcile(day);
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
    keptLines: async (day = FIFTEENTH) => {
      const kept = await expectOk(stores.keptBills.list(day, day));
      const mine = kept.find(({ accountId }) => accountId === account.accountId);
      return mine === undefined ? [] : expectOk(stores.keptBills.page(mine.runId, 0, 1_000));
    },
    exceptions,
    listed: async (state) => (await exceptions(state)).map(textOf).toSorted(),
  };
}

/** Returns an exception as one text. */
function textOf({ kind, outTradeNo, refundNo = "", amountThere, amountHere }: BillException): string {
  return `${kind} ${outTradeNo} ${refundNo} ${String(amountThere)} ${String(amountHere)}`;
}

/** Returns the line of a payment in a trade bill, with a fee of one percent. */
export function paymentLine({ id, amount }: Pick<Order, "id" | "amount">): StatedLine {
  const no = `42${id}`;
  const settlement = { no, received: amount, fee: Math.round(amount / 100) };
  return { kind: "payment", outTradeNo: id, amount, state: "DONE", walletTradeNo: no, settlement };
}

/** Returns the line of a refund in a trade bill, with the returned fee. */
export function refundLine(order: Order, refund: Pick<Refund, "refundNo" | "amount">): StatedLine {
  const refundNo = outRefundNo(order, refund);
  const { amount } = refund;
  const settlement = { no: `50${refundNo}`, received: -amount, fee: -Math.round(amount / 100) };
  return { ...paymentLine(order), kind: "refund", refundNo, amount, settlement };
}

/** Returns the fund-flow movements of a bill line, without balances. */
export function movementsOf({ kind, outTradeNo, refundNo, settlement }: StatedLine): readonly FlowLine[] {
  if (settlement === undefined) return [];
  const { no: settlementNo, received, fee } = settlement;
  const numbers = { at: FIXTURE_TIME, settlementNo, merchantNo: refundNo ?? outTradeNo };
  return [
    { ...numbers, kind, amount: received },
    { ...numbers, kind: "fee", amount: -fee },
  ];
}

/**
 * Adds consecutive balances to movements.
 *
 * @param opening - Balance before the first movement, in cents.
 */
export function balanced(movements: readonly FlowLine[], opening = 10_000): readonly FlowLine[] {
  let balance = opening;
  return movements.map((movement) => {
    balance += movement.amount;
    return { ...movement, balance };
  });
}

/** Returns an unreadable line, with `changes`. */
export function anUnreadableLine(changes: Partial<UnreadableLine> = {}): UnreadableLine {
  return { kind: "unreadable", at: 7, digest: anId(), problem: "it has 26 fields instead of 27", ...changes };
}
