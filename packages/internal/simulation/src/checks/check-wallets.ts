import { outRefundNo, type PaymentRequest, type WalletRefundRequest } from "@tillkit/core/ports";
import type { InvariantCheck } from "../snapshot.js";
import type { Scenario } from "../scenario.js";
import { invariant } from "../violation.js";
import type { Effect } from "../simulation.js";

/** Checks that the wallets know only stored orders and only refunds that are stored. */
export function checkWallets(scenario: Scenario): InvariantCheck {
  const prepared = new Set<string>();
  const refunded = new Map<string, { readonly outTradeNo: string; readonly amount: number }>();
  scenario.simulation.effects.push(({ port, method, args, answer }) => {
    if (port !== "WALLET_A" && port !== "WALLET_B") return;
    if (!succeeded(answer)) return;
    if (method === "prepare") prepared.add(asPayment(args[1]).outTradeNo);
    if (method === "refund") {
      const { refundNo, outTradeNo, amount } = asRefund(args[1]);
      refunded.set(refundNo, { outTradeNo, amount });
    }
  });
  return ({ sales }) => {
    const ids = new Set(sales.map(({ order }) => order.id));
    const stored = new Map<string, { readonly outTradeNo: string; readonly amount: number }>();
    for (const { order, refunds } of sales) {
      for (const { made } of refunds)
        stored.set(outRefundNo(order, made), { outTradeNo: order.id, amount: made.amount });
    }
    for (const id of prepared)
      invariant("the wallet has no order but the stored ones", ids.has(id), () => id);
    for (const [refundNo, { outTradeNo, amount }] of refunded) {
      const known = stored.get(refundNo);
      const same = known?.outTradeNo === outTradeNo && known.amount === amount;
      invariant("the wallet refunds only what is stored", same, () => refundNo);
    }
  };
}

function succeeded(answer: Effect["answer"]): boolean {
  return typeof answer === "object" && answer !== null && "value" in answer;
}

function asPayment(value: unknown): Pick<PaymentRequest, "outTradeNo"> {
  if (
    typeof value === "object" &&
    value !== null &&
    "outTradeNo" in value &&
    typeof value.outTradeNo === "string"
  ) {
    return { outTradeNo: value.outTradeNo };
  }
  throw new Error("No order number was given.");
}

function asRefund(value: unknown): Pick<WalletRefundRequest, "outTradeNo" | "refundNo" | "amount"> {
  const { outTradeNo } = asPayment(value);
  if (
    typeof value === "object" &&
    value !== null &&
    "refundNo" in value &&
    typeof value.refundNo === "string" &&
    "amount" in value &&
    typeof value.amount === "number"
  ) {
    return { outTradeNo, refundNo: value.refundNo, amount: value.amount };
  }
  throw new Error("No refund was requested.");
}
