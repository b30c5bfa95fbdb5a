import type { BillLine, PayChannel, WalletAccount, WalletFailure } from "@tillkit/core";
import { okAsync, type ResultAsync } from "neverthrow";
import type { World } from "./world.js";

/** A bill as a wallet wrote it: once, and for ever. */
export interface PrintedBill {
  readonly payChannel: PayChannel;
  readonly day: string;
  readonly lines: readonly BillLine[];
}

/** Where the wallets write their bills, with mistakes. */
export interface BillPress {
  /** The bill of a day, written when it is asked for first. */
  read(account: WalletAccount, day: string): ResultAsync<PrintedBill, WalletFailure>;
  /** Every bill that was written. */
  readonly printed: readonly PrintedBill[];
}

/** What is done to a line: mostly nothing. Or it is left out, states another amount, stands there twice, or in the bill of the next day. */
const MISTAKES = ["none", "none", "none", "none", "left out", "another amount", "twice", "late"] as const;
/** Numbers that no order here has: the first one could be one's. */
const STRANGERS = ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "sold elsewhere"] as const;

/** An order as a caller was told of it. */
type Offer = Pick<BillLine, "outTradeNo" | "amount">;

/** The press of both wallets. `offered` says which orders callers were given: one of them may be on a bill and not be paid, or not there. */
export function billPress(world: World, offered: () => readonly Offer[]): BillPress {
  const { tape } = world;
  const printed: PrintedBill[] = [];
  const late = new Map<PayChannel, BillLine[]>();

  const invented = (payChannel: PayChannel): readonly BillLine[] => {
    const strangers = STRANGERS.map((outTradeNo) => ({ outTradeNo, amount: 7 }));
    const offers = [undefined, undefined, undefined, ...strangers, ...offered()];
    const offer = offers[tape.next(offers.length)];
    if (offer === undefined) return [];
    const amount = offer.amount + tape.next(2);
    const line = { ...offer, amount, state: "DONE", walletTradeNo: `trade_${payChannel}` } as const;
    return [tape.next(2) === 0 ? { ...line, kind: "payment" } : { ...line, kind: "refund", refundNo: "r" }];
  };
  const mistaken = (payChannel: PayChannel, line: BillLine): readonly BillLine[] => {
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
  const print = (payChannel: PayChannel, day: string, truth: readonly BillLine[]): PrintedBill => {
    const before = late.get(payChannel) ?? [];
    late.set(payChannel, []);
    const lines = [
      ...before,
      ...truth.flatMap((line) => mistaken(payChannel, line)),
      ...invented(payChannel),
    ];
    const bill = { payChannel, day, lines };
    printed.push(bill);
    return bill;
  };

  return {
    printed,
    read: (account, day) => {
      const { payChannel } = account;
      const held = printed.find((bill) => bill.payChannel === payChannel && bill.day === day);
      if (held !== undefined) return okAsync(held);
      const truth: BillLine[] = [];
      const collect = (lines: readonly BillLine[]) =>
        okAsync<number, WalletFailure>(truth.push(...lines)).map(() => undefined);
      return world.wallets[payChannel]
        .readBill(account, day, collect, { deadline: 1 })
        .map(() => print(payChannel, day, truth));
    },
  };
}
