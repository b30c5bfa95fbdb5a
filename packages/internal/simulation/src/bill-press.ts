import type {
  BillEntry,
  BillLine,
  FlowLine,
  PayChannel,
  StatedLine,
  WalletAccount,
  WalletFailure,
} from "@tillkit/core";
import { okAsync, type ResultAsync } from "neverthrow";
import type { World } from "./world.js";

/** The bills of a day as a wallet wrote them: once, and for ever. */
export interface PrintedBill {
  readonly payChannel: PayChannel;
  readonly day: string;
  /** The trade bill. */
  readonly lines: readonly StatedLine[];
  /** The fund-flow bill. */
  readonly flow: readonly FlowLine[];
}

/** Where the wallets write their bills, with mistakes. */
export interface BillPress {
  /** The bills of a day, written when one of them is asked for first. */
  read(account: WalletAccount, day: string): ResultAsync<PrintedBill, WalletFailure>;
  /** Every bill that was written. */
  readonly printed: readonly PrintedBill[];
}

/** What is done to a line: mostly nothing. Or it is left out, states another amount, stands there twice, or in the bill of the next day. */
const MISTAKES = ["none", "none", "none", "none", "left out", "another amount", "twice", "late"] as const;
/** What is done to the movement of a line: mostly nothing. Or it is left out, is of another amount, or is booked on the next day. */
const SLIPS = ["none", "none", "none", "none", "none", "left out", "another amount", "late"] as const;
/** Numbers that no order here has: the first one could be one's. */
const STRANGERS = ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "sold elsewhere"] as const;

/** An order as a caller was told of it. */
type Offer = Pick<BillLine, "outTradeNo" | "amount">;

/** The press of both wallets. `offered` says which orders callers were given: one of them may be on a bill and not be paid, or not there. */
export function billPress(world: World, offered: () => readonly Offer[]): BillPress {
  const { tape } = world;
  const printed: PrintedBill[] = [];
  const late = new Map<PayChannel, StatedLine[]>();
  const lateMovements = new Map<PayChannel, FlowLine[]>();

  const invented = (payChannel: PayChannel): readonly BillLine[] => {
    const strangers = STRANGERS.map((outTradeNo) => ({ outTradeNo, amount: 7 }));
    const offers = [undefined, undefined, undefined, ...strangers, ...offered()];
    const offer = offers[tape.next(offers.length)];
    if (offer === undefined) return [];
    const amount = offer.amount + tape.next(2);
    const line = { ...offer, amount, state: "DONE", walletTradeNo: `trade_${payChannel}` } as const;
    return [tape.next(2) === 0 ? { ...line, kind: "payment" } : { ...line, kind: "refund", refundNo: "r" }];
  };
  const mistaken = (payChannel: PayChannel, line: StatedLine): readonly StatedLine[] => {
    switch (MISTAKES[tape.next(MISTAKES.length)]) {
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
    const movements = movementsOf(line, world.now());
    switch (movements.length === 0 ? "none" : SLIPS[tape.next(SLIPS.length)]) {
      case "left out":
        return [];
      case "another amount":
        return movements.map((movement) => ({ ...movement, amount: movement.amount * 2 }));
      case "late": {
        const before = lateMovements.get(payChannel) ?? [];
        // A line that stands twice is late once: twice its amount would be another mistake.
        if (before.some(({ settlementNo }) => settlementNo === movements[0]?.settlementNo)) return movements;
        lateMovements.set(payChannel, [...before, ...movements]);
        return [];
      }
      default:
        return movements;
    }
  };
  const print = (payChannel: PayChannel, day: string, truth: readonly StatedLine[]): PrintedBill => {
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
      const held = printed.find((bill) => bill.payChannel === payChannel && bill.day === day);
      if (held !== undefined) return okAsync(held);
      const truth: StatedLine[] = [];
      const collect = (entries: readonly BillEntry[]) => {
        for (const entry of entries) if (entry.kind !== "unreadable") truth.push(entry);
        return okAsync<undefined, WalletFailure>(undefined);
      };
      return world.wallets[payChannel]
        .readBill(account, day, collect, { deadline: 1 })
        .map(() => print(payChannel, day, truth));
    },
  };
}

/** The movements of the account that a line of the trade bill leads to; none while a refund is in process. */
function movementsOf({ kind, outTradeNo, refundNo, state, settlement }: StatedLine, at: number): FlowLine[] {
  if (settlement === undefined || state === "OPEN") return [];
  const { no: settlementNo, received, fee } = settlement;
  const numbers = { at, settlementNo, merchantNo: refundNo ?? outTradeNo };
  const movement: FlowLine = { ...numbers, kind, amount: received };
  return fee === 0 ? [movement] : [movement, { ...numbers, kind: "fee", amount: -fee }];
}
