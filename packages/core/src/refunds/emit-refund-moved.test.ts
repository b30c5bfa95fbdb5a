import { expect, it } from "vitest";
import type { ServiceEvent } from "../events/observer.js";
import { emitRefundMoved } from "./emit-refund-moved.js";

const ORDER = { appId: "app_1", id: "order-1", paymentStatus: "REFUND", amount: 600 } as const;

it.each([
  ["completes the amount", { ...ORDER, refundedAmount: 600 }, "CONFIRMED", 1],
  ["is a settlement that completes the amount", { ...ORDER, refundedAmount: 600 }, "SETTLED", 1],
  ["leaves a rest", { ...ORDER, paymentStatus: "PAID", refundedAmount: 500 }, "CONFIRMED", 0],
  ["exceeds the amount, which others had completed", { ...ORDER, refundedAmount: 1_000 }, "CONFIRMED", 0],
  ["failed", { ...ORDER, refundedAmount: 600 }, "FAILED", 0],
] as const)("a refund that %s: order.moved", (_case, order, to, moves) => {
  const events: ServiceEvent[] = [];
  const observer = { onEvent: (event: ServiceEvent) => void events.push(event) };
  emitRefundMoved({ observer }, { order, refund: { refundNo: "r-1", amount: 400 } }, to);
  expect(events.filter(({ type }) => type === "refund.moved")).toHaveLength(1);
  expect(events.filter(({ type }) => type === "order.moved")).toHaveLength(moves);
});
