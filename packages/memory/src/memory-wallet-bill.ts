import { billDay, type BillLine } from "@tillkit/core";
import type { Trade } from "./memory-wallet-trade.js";

/** The lines of a merchant's bill of a day in China, oldest first. A refund is in the bill of the day it was asked for. */
export function billLines(trades: Iterable<Trade>, merchantId: string, day: string): readonly BillLine[] {
  const { startsAt, endsAt } = billDay(day);
  return [...trades]
    .filter((trade) => trade.merchantId === merchantId)
    .flatMap(movements)
    .filter(({ at }) => at >= startsAt && at < endsAt)
    .sort((left, right) => left.at - right.at)
    .map(({ line }) => line);
}

function movements({ request, paidAt, refunds, refundedAt }: Trade): { at: number; line: BillLine }[] {
  if (paidAt === undefined) return [];
  const { outTradeNo, amount } = request;
  const trade = { outTradeNo, walletTradeNo: `trade_${outTradeNo}` };
  const payment: BillLine = { ...trade, kind: "payment", amount, state: "DONE" };
  const back = [...refunds.values()].map(({ refundNo, amount: sent, state }) => {
    const done = state === "CONFIRMED" ? "DONE" : "OPEN";
    const line: BillLine = { ...trade, kind: "refund", refundNo, amount: sent, state: done };
    return { at: refundedAt.get(refundNo) ?? paidAt, line };
  });
  return [{ at: paidAt, line: payment }, ...back];
}
