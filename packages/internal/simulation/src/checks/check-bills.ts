import type { PayChannel } from "@tillkit/core";
import { type BillException, type BillLine, FUND_FLOW_KINDS, outRefundNo } from "@tillkit/core/ports";
import type { BillGenerator } from "../bill-generator.js";
import type { Snapshot, InvariantCheck } from "../snapshot.js";
import type { Scenario } from "../scenario.js";
import { invariant } from "../violation.js";
import { flowDifferences } from "./flow-differences.js";

type Named = Pick<BillLine, "kind" | "outTradeNo" | "refundNo">;

/** The stored order or refund with a number that a bill lists. */
interface StoredBill {
  readonly payChannel: PayChannel;
  readonly amount: number;
  readonly settled: boolean;
  readonly failed: boolean;
}

/** Checks that every stored difference is real, and that a bill alone changes no order. */
export function checkBills({ known, billGenerator }: Scenario): InvariantCheck {
  return ({ sales, exceptions }) => {
    if (exceptions.length === 0) return;
    const record = recordOf(sales);
    for (const exception of exceptions) {
      if (isOfFlow(exception)) {
        const isSeenTo = exception.state !== "RESOLVED" || known.resolved.has(exception.id);
        invariant("an operator resolves", isSeenTo, () => `${exception.kind} on ${exception.day}`);
        checkFlow(exception, billGenerator);
        continue;
      }
      const { id, kind, day, payChannel, state, amountThere, amountHere } = exception;
      const there = sumsOf(billGenerator, (bill) => bill.day === day && bill.payChannel === payChannel).get(
        nameOf(named(exception)),
      );
      const here = storedOf(record, payChannel, nameOf(named(exception)));
      const describeState = () => `${kind} of ${exception.outTradeNo} on ${day} (${state})`;
      invariant("a line of another merchant is not a difference", there?.foreign !== true, describeState);
      const isThere = there?.amount === amountThere && amountThere !== undefined;
      if (kind.endsWith("_NOT_HERE"))
        invariant("the bill has what is reported as missing in Tillkit", isThere, describeState);
      if (kind.endsWith("_AMOUNT"))
        invariant(
          "amounts differ",
          isThere && here?.amount === amountHere && amountHere !== amountThere,
          describeState,
        );
      if (kind.endsWith("_NOT_THERE")) {
        const missing = here?.settled === true && there === undefined;
        // A payment that was found on another day may earlier have been reported as missing on this
        // day.
        invariant(
          "the bill lacks what is reported as missing at the wallet",
          missing || state === "LISTED",
          describeState,
        );
      }
      const healed = kind.endsWith("_NOT_HERE") && here?.settled === true && here.amount === amountThere;
      invariant("what is HEALED is stored", state !== "HEALED" || healed, describeState);
      invariant("an operator resolves", state !== "RESOLVED" || known.resolved.has(id), describeState);
    }
  };
}

function isOfFlow({ kind }: BillException): boolean {
  return FUND_FLOW_KINDS.some((one) => one === kind);
}

/**
 * Checks one difference of a fund-flow bill against the bill.
 *
 * Bills do not change, so a correct difference stays correct. Only an unknown movement may become
 * known.
 */
function checkFlow(exception: BillException, billGenerator: BillGenerator): void {
  const { day, payChannel, kind, state } = exception;
  if (kind === "MOVEMENT_UNKNOWN" || state === "LISTED") return;
  const bill = billGenerator.printed.find((one) => one.day === day && one.payChannel === payChannel);
  const found = bill === undefined ? [] : flowDifferences(bill);
  const text = flowText(exception);
  invariant(
    "the account's movements differ from the trade bill",
    found.includes(text),
    () => `${text} ${day}`,
  );
}

function flowText({ kind, outTradeNo, refundNo = "" }: BillException): string {
  return `${kind} ${outTradeNo} ${refundNo}`;
}

/**
 * Checks, after all bills were reconciled, that the fund-flow differences are complete and correct.
 */
function checkFlowDifferences(exceptions: readonly BillException[], billGenerator: BillGenerator): void {
  const ofFlow = exceptions.filter(isOfFlow);
  const open = ofFlow.filter(({ state }) => state === "OPEN" || state === "RESOLVED");
  const expected = billGenerator.printed.flatMap((bill) =>
    flowDifferences(bill).map((text) => ({ text, day: bill.day, payChannel: bill.payChannel })),
  );
  for (const { text, day, payChannel } of expected) {
    const stored = ofFlow.some(
      (one) => flowText(one) === text && one.payChannel === payChannel && one.state !== "GONE",
    );
    invariant("every difference of an account is found", stored, () => `${text} ${day}`);
  }
  for (const exception of open) {
    const { state, kind } = exception;
    const isExpected = expected.some(({ text }) => text === flowText(exception));
    const isKnown = state === "RESOLVED" || isExpected;
    invariant("no false difference of an account is found", isKnown, () => `${kind} ${exception.day}`);
  }
}

/** Checks, after all bills were reconciled, that the differences are complete and correct. */
export function checkDifferences({ sales, exceptions }: Snapshot, billGenerator: BillGenerator): void {
  checkFlowDifferences(exceptions, billGenerator);
  const record = recordOf(sales);
  const expected = new Set<string>();
  const listed = new Set<string>();
  for (const { payChannel, day } of billGenerator.printed) {
    const bill = sumsOf(billGenerator, (one) => one.day === day && one.payChannel === payChannel);
    for (const [name, { amount, open, foreign, kind }] of bill) {
      if (foreign) continue;
      const here = storedOf(record, payChannel, name);
      if (here !== undefined) listed.add(name);
      const of = kind === "payment" ? "PAYMENT" : "REFUND";
      if (here === undefined || (open ? here.failed : !here.settled)) expected.add(`${of}_NOT_HERE ${name}`);
      else if (here.amount !== amount) expected.add(`${of}_AMOUNT ${name}`);
    }
  }
  for (const [name, { settled }] of record)
    if (settled && !listed.has(name))
      expected.add(`${name.startsWith("payment") ? "PAYMENT" : "REFUND"}_NOT_THERE ${name}`);
  const stored = exceptions
    .filter((exception) => !isOfFlow(exception))
    .filter(({ state }) => state === "OPEN" || state === "RESOLVED")
    .map((exception) => ({ ...exception, text: `${exception.kind} ${nameOf(named(exception))}` }));
  const texts = new Set(stored.map(({ text }) => text));
  for (const text of expected) invariant("every difference is found", texts.has(text), () => text);
  for (const { text, state } of stored)
    invariant("no false difference is found", state === "RESOLVED" || expected.has(text), () => text);
}

function named({ kind, outTradeNo, refundNo }: BillException): Named {
  return kind.startsWith("PAYMENT")
    ? { kind: "payment", outTradeNo }
    : { kind: "refund", outTradeNo, ...(refundNo === undefined ? {} : { refundNo }) };
}

function nameOf({ kind, outTradeNo, refundNo = "" }: Named): string {
  return `${kind} ${outTradeNo} ${refundNo}`;
}

interface Sum {
  readonly kind: BillLine["kind"];
  readonly amount: number;
  readonly open: boolean;
  /** Whether no order of the run can have the number. */
  readonly foreign: boolean;
}

function sumsOf(billGenerator: BillGenerator, chosen: (bill: BillGenerator["printed"][number]) => boolean) {
  const sums = new Map<string, Sum>();
  for (const line of billGenerator.printed.filter(chosen).flatMap(({ lines }) => lines)) {
    const before = sums.get(nameOf(line));
    const open = line.state === "OPEN" || before?.open === true;
    const amount = line.amount + (before?.amount ?? 0);
    sums.set(nameOf(line), { kind: line.kind, amount, open, foreign: line.outTradeNo.length !== 26 });
  }
  return sums;
}

/** Returns the stored order or refund, only if it belongs to the wallet of the bill. */
function storedOf(
  record: ReadonlyMap<string, StoredBill>,
  payChannel: PayChannel,
  name: string,
): StoredBill | undefined {
  const stored = record.get(name);
  return stored?.payChannel === payChannel ? stored : undefined;
}

function recordOf(sales: Snapshot["sales"]): ReadonlyMap<string, StoredBill> {
  const record = new Map<string, StoredBill>();
  for (const { order, refunds } of sales) {
    const settled = order.paymentStatus === "PAID" || order.paymentStatus === "REFUND";
    const payment = { kind: "payment", outTradeNo: order.id } as const;
    const { payChannel } = order;
    record.set(nameOf(payment), { payChannel, amount: order.amount, settled, failed: false });
    for (const { made } of refunds) {
      const { amount, status, walletRefundNo } = made;
      const refund = { kind: "refund", outTradeNo: order.id, refundNo: outRefundNo(order, made) } as const;
      const settled = status === "CONFIRMED";
      const failed = status === "FAILED" || (status === "SETTLED" && walletRefundNo === undefined);
      record.set(nameOf(refund), { payChannel, amount, settled, failed });
    }
  }
  return record;
}
