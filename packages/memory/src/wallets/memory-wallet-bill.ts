import { billDay } from "@tillkit/core";
import type { BillTotals, FlowLine, StatedLine } from "@tillkit/core/ports";
import type { Trade } from "./memory-wallet-trade.js";

/**
 * Returns the trade bill of a merchant for one day in China, oldest line first.
 *
 * The bill lists a refund on the day of its request.
 */
export function billLines(trades: Iterable<Trade>, merchantId: string, day: string): readonly StatedLine[] {
  const { startsAt, endsAt } = billDay(day);
  return movementsOf(trades, merchantId)
    .filter(({ at }) => at >= startsAt && at < endsAt)
    .map(({ line }) => line);
}

/** Returns the total fees that a bill with these lines states. */
export function feesOf(lines: readonly StatedLine[]): Pick<BillTotals, "fees"> {
  return { fees: lines.reduce((sum, { settlement }) => sum + (settlement?.fee ?? 0), 0) };
}

/**
 * Returns the fund flow of a merchant for one day in China, oldest movement first.
 *
 * Each DONE line of the trade bill becomes one movement for its amount. If the line has a fee, the
 * fee is another movement. An OPEN refund moves no money.
 */
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

/** Returns the fee of a payment: 0.6 % as the wallets charge it, rounded to the cent. */
function feeOf(cents: number): number {
  return Math.round((cents * 6) / 1_000);
}
