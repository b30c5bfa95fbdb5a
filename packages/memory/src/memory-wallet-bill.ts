import { billDay, type BillTotals, type FlowLine, type StatedLine } from "@tillkit/core";
import type { Trade } from "./memory-wallet-trade.js";

/** The lines of a merchant's trade bill of a day in China, oldest first. A refund is in the bill of the day it was asked for. */
export function billLines(trades: Iterable<Trade>, merchantId: string, day: string): readonly StatedLine[] {
  const { startsAt, endsAt } = billDay(day);
  return movementsOf(trades, merchantId)
    .filter(({ at }) => at >= startsAt && at < endsAt)
    .map(({ line }) => line);
}

/** The total of fees that a bill with these lines states. */
export function feesOf(lines: readonly StatedLine[]): Pick<BillTotals, "fees"> {
  return { fees: lines.reduce((sum, { settlement }) => sum + (settlement?.fee ?? 0), 0) };
}

/** The movements of a merchant's account on a day in China, oldest first: what each line settles, and its fee apart. */
export function flowLines(trades: Iterable<Trade>, merchantId: string, day: string): readonly FlowLine[] {
  const { startsAt, endsAt } = billDay(day);
  let balance = 0;
  const lines = movementsOf(trades, merchantId).flatMap(({ at, line }): readonly FlowLine[] => {
    const { kind, outTradeNo, refundNo, settlement } = line;
    if (settlement === undefined || line.state === "OPEN") return [];
    const { no: settlementNo, received, fee } = settlement;
    const numbers = { settlementNo, merchantNo: refundNo ?? outTradeNo };
    const book = (of: FlowLine["kind"], amount: number): FlowLine => {
      balance += amount;
      return { kind: of, amount, at, balance, ...numbers };
    };
    return [book(kind, received), ...(fee === 0 ? [] : [book("fee", -fee)])];
  });
  return lines.filter(({ at }) => at >= startsAt && at < endsAt);
}

interface Movement {
  readonly at: number;
  readonly line: StatedLine;
}

function movementsOf(trades: Iterable<Trade>, merchantId: string): readonly Movement[] {
  return [...trades]
    .filter((trade) => trade.merchantId === merchantId)
    .flatMap(movements)
    .sort((left, right) => left.at - right.at);
}

function movements({ request, paidAt, refunds, refundedAt }: Trade): Movement[] {
  if (paidAt === undefined) return [];
  const { outTradeNo, amount } = request;
  const trade = { outTradeNo, walletTradeNo: `trade_${outTradeNo}` };
  const settlement = { no: trade.walletTradeNo, received: amount, fee: feeOf(amount) };
  const payment: StatedLine = { ...trade, kind: "payment", amount, state: "DONE", settlement };
  const back = [...refunds.values()].map(({ refundNo, amount: sent, state, walletRefundNo = refundNo }) => {
    const done = state === "CONFIRMED" ? "DONE" : "OPEN";
    const returned = { no: walletRefundNo, received: -sent, fee: -feeOf(sent) };
    const line: StatedLine = {
      ...trade,
      kind: "refund",
      refundNo,
      amount: sent,
      state: done,
      settlement: { ...returned, fee: returned.fee === 0 ? 0 : returned.fee },
    };
    return { at: refundedAt.get(refundNo) ?? paidAt, line };
  });
  return [{ at: paidAt, line: payment }, ...back];
}

/** Six in a thousand, as the wallets charge it, rounded to the cent. */
function feeOf(cents: number): number {
  return Math.round((cents * 6) / 1_000);
}
