import type { PayChannel, WalletAccount, WalletFailure } from "@tillkit/core";
import type { BillEntry, BillLine, FlowLine, StatedLine } from "@tillkit/core/ports";
import { okAsync, type ResultAsync } from "neverthrow";
import type { Simulation } from "./simulation.js";

/** The bills of one day. A wallet writes them once and never changes them. */
export interface GeneratedBill {
  readonly payChannel: PayChannel;
  readonly day: string;
  /** The trade bill. */
  readonly lines: readonly StatedLine[];
  /** The fund-flow bill. */
  readonly flow: readonly FlowLine[];
}

/** Generates the wallets' bills, with mistakes. */
export interface BillGenerator {
  /** Returns the bills of a day. Generates them at the first request. */
  read(account: WalletAccount, day: string): ResultAsync<GeneratedBill, WalletFailure>;
  /** Every bill that was generated. */
  readonly printed: readonly GeneratedBill[];
}

/** The mistakes in a trade line. A late line is in the bill of the next day. */
const MISTAKES = ["none", "none", "none", "none", "left out", "another amount", "twice", "late"] as const;
/** The mistakes in the movement of a line. A late movement is booked on the next day. */
const BILL_ERRORS = ["none", "none", "none", "none", "none", "left out", "another amount", "late"] as const;
/** Numbers that no order of the run has. The first one has the format of an order id. */
const FOREIGN_ENTRIES = ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "sold elsewhere"] as const;

/** An order as a caller received it. */
type Offer = Pick<BillLine, "outTradeNo" | "amount">;

/**
 * Creates the bill generator of both wallets.
 *
 * @param offered - returns the orders that callers received. A bill may list one of them that was
 *   not paid.
 */
export function createBillGenerator(simulation: Simulation, offered: () => readonly Offer[]): BillGenerator {
  const { choices } = simulation;
  const printed: GeneratedBill[] = [];
  const late = new Map<PayChannel, StatedLine[]>();
  const lateMovements = new Map<PayChannel, FlowLine[]>();

  const invented = (payChannel: PayChannel): readonly BillLine[] => {
    const strangers = FOREIGN_ENTRIES.map((outTradeNo) => ({ outTradeNo, amount: 7 }));
    const offers = [undefined, undefined, undefined, ...strangers, ...offered()];
    const offer = offers[choices.next(offers.length)];
    if (offer === undefined) return [];
    const amount = offer.amount + choices.next(2);
    const line = { ...offer, amount, state: "DONE", walletTradeNo: `trade_${payChannel}` } as const;
    return [
      choices.next(2) === 0 ? { ...line, kind: "payment" } : { ...line, kind: "refund", refundNo: "r" },
    ];
  };
  const mistaken = (payChannel: PayChannel, line: StatedLine): readonly StatedLine[] => {
    switch (MISTAKES[choices.next(MISTAKES.length)]) {
      case "left out":
        return [];
      case "another amount":
        return [{ ...line, amount: line.amount + 1 }];
      case "twice":
        return [line, line];
      case "late":
        late.set(payChannel, [...(late.get(payChannel) ?? []), line]);
        return [];
      default:
        return [line];
    }
  };
  const booked = (payChannel: PayChannel, line: StatedLine): readonly FlowLine[] => {
    const movements = movementsOf(line, simulation.now());
    switch (movements.length === 0 ? "none" : BILL_ERRORS[choices.next(BILL_ERRORS.length)]) {
      case "left out":
        return [];
      case "another amount":
        return movements.map((movement) => ({ ...movement, amount: movement.amount * 2 }));
      case "late": {
        const before = lateMovements.get(payChannel) ?? [];
        // A line that appears twice is late only once. Otherwise its amount would be doubled.
        if (before.some(({ settlementNo }) => settlementNo === movements[0]?.settlementNo)) return movements;
        lateMovements.set(payChannel, [...before, ...movements]);
        return [];
      }
      default:
        return movements;
    }
  };
  const print = (payChannel: PayChannel, day: string, truth: readonly StatedLine[]): GeneratedBill => {
    const before = late.get(payChannel) ?? [];
    late.set(payChannel, []);
    const lines = [
      ...before,
      ...truth.flatMap((line) => mistaken(payChannel, line)),
      ...invented(payChannel),
    ];
    const flowBefore = lateMovements.get(payChannel) ?? [];
    lateMovements.set(payChannel, []);
    const flow = [...flowBefore, ...lines.flatMap((line) => booked(payChannel, line))];
    const bill = { payChannel, day, lines, flow };
    printed.push(bill);
    return bill;
  };

  return {
    printed,
    read: (account, day) => {
      const { payChannel } = account;
      const stored = printed.find((bill) => bill.payChannel === payChannel && bill.day === day);
      if (stored !== undefined) return okAsync(stored);
      const truth: StatedLine[] = [];
      const collect = (entries: readonly BillEntry[]) => {
        for (const entry of entries) if (entry.kind !== "unreadable") truth.push(entry);
        return okAsync<undefined, WalletFailure>(undefined);
      };
      return simulation.wallets[payChannel]
        .readBill(account, day, collect, { deadline: 1 })
        .map(() => print(payChannel, day, truth));
    },
  };
}

/** Returns the account movements of a trade line. An unfinished refund has no movements. */
function movementsOf({ kind, outTradeNo, refundNo, state, settlement }: StatedLine, at: number): FlowLine[] {
  if (settlement === undefined || state === "OPEN") return [];
  const { no: settlementNo, received, fee } = settlement;
  const numbers = { at, settlementNo, merchantNo: refundNo ?? outTradeNo };
  const movement: FlowLine = { ...numbers, kind, amount: received };
  return fee === 0 ? [movement] : [movement, { ...numbers, kind: "fee", amount: -fee }];
}
