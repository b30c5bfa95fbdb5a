import type { PaySource, Prepayment, WalletAccount, WalletFailure, WalletRejected } from "@tillkit/core";
import type { PaymentRequest, WalletOrder, WalletRefund, WalletRefundRequest } from "@tillkit/core/ports";
import { err, ok, type Result } from "neverthrow";
import { frozen } from "../state/frozen.js";
import { sha256 } from "../state/sha256.js";

/** An order that a memory wallet stores. */
export interface Trade {
  readonly walletAppId: string;
  readonly merchantId: string;
  readonly request: PaymentRequest;
  readonly prepayId: string;
  readonly refunds: Map<string, WalletRefund>;
  /** When each refund was requested, in epoch milliseconds. */
  readonly refundedAt: Map<string, number>;
  state: WalletOrder["state"];
  paidAt?: number;
}

const MINUTE = 60_000;
/** How long a prepayment is valid, in milliseconds. Browser links expire sooner. */
const VALIDITY = {
  APP: 120 * MINUTE,
  NATIVE: 120 * MINUTE,
  JSAPI: 120 * MINUTE,
  H5: 5 * MINUTE,
  PC: 5 * MINUTE,
} as const satisfies Record<PaySource, number>;

/** Returns a definite refusal that counts as trusted. */
export function reject(reason: WalletRejected["reason"], detail: string) {
  return err<never, WalletFailure>({ name: "wallet.rejected", reason, trusted: true, detail });
}

/** Creates an unpaid trade for the request of a merchant. */
export function tradeFor({ walletAppId, accountId }: WalletAccount, request: PaymentRequest): Trade {
  const prepayId = `prepay_${request.outTradeNo}`;
  return {
    walletAppId,
    merchantId: accountId,
    request: frozen(request),
    prepayId,
    refunds: new Map(),
    refundedAt: new Map(),
    state: "OPEN",
  };
}

/** Returns whether two trades have the same terms. */
export function isSameTrade(left: Trade, right: Trade): boolean {
  const terms = ({ walletAppId, merchantId, request: paymentRequest }: Trade) => [
    walletAppId,
    merchantId,
    paymentRequest.amount,
    paymentRequest.goodsTitle,
    paymentRequest.paySource,
    paymentRequest.payerId,
    paymentRequest.notifyUrl,
    paymentRequest.returnUrl,
    paymentRequest.expiresAt,
    paymentRequest.options,
  ];
  return JSON.stringify(terms(left)) === JSON.stringify(terms(right));
}

/** Returns the prepayment of a trade, issued at `now`. */
export function prepaymentOf({ prepayId, request }: Trade, now: number): Prepayment {
  const validUntil = Math.min(now + VALIDITY[request.paySource], request.expiresAt);
  return frozen({ issuedAt: now, validUntil, values: { prepayId } });
}

/** Returns the order as the wallet reports it, with `changes` applied. */
export function statement(trade: Trade, changes: Partial<WalletOrder> = {}): WalletOrder {
  const { request, walletAppId, merchantId, state, paidAt } = trade;
  const paid = paidAt === undefined ? {} : { paidAt, walletTradeNo: `trade_${request.outTradeNo}` };
  const { outTradeNo, amount } = request;
  const facts = { state, outTradeNo, walletAppId, merchantId, amount, currency: "CNY", ...paid, ...changes };
  return frozen({ ...facts, evidence: changes.evidence ?? evidenceOf(facts) });
}

/**
 * Refunds a part of a trade at `now`, or returns the existing refund with the same number.
 *
 * A new refund starts in `state`. Fails if the refunds together exceed the amount of the order.
 */
export function refund(
  trade: Trade | undefined,
  request: WalletRefundRequest,
  state: "PROCESSING" | "CONFIRMED",
  now: number,
): Result<WalletRefund, WalletFailure> {
  if (trade === undefined || trade.paidAt === undefined) return reject("other", "the order is not paid");
  const { outTradeNo, refundNo, amount } = request;
  const known = trade.refunds.get(refundNo);
  if (known !== undefined) {
    return known.amount === amount ? ok(known) : reject("conflict", "the refund number is in use");
  }
  const total = amountOf(trade, ["PROCESSING", "ABNORMAL", "CONFIRMED"]) + amount;
  if (request.orderAmount !== trade.request.amount || total > trade.request.amount) {
    return reject("other", "the refunds exceed the order");
  }
  const { merchantId } = trade;
  const facts = {
    state,
    outTradeNo,
    refundNo,
    merchantId,
    amount,
    walletRefundNo: `back_${refundNo}`,
  };
  const made = frozen({ ...facts, evidence: evidenceOf(facts) });
  trade.refunds.set(refundNo, made);
  trade.refundedAt.set(refundNo, now);
  if (refundedAmount(trade) === trade.request.amount) trade.state = "REFUNDED";
  return ok(made);
}

/** Returns the refund with `changes` applied, and with new evidence. */
export function restated(made: WalletRefund, changes: Partial<WalletRefund>): WalletRefund {
  const { evidence: _before, ...facts } = { ...made, ...changes };
  return frozen({ ...facts, evidence: changes.evidence ?? evidenceOf(facts) });
}

/** Returns the total of the confirmed refunds, in cents. */
export function refundedAmount(trade: Trade): number {
  return amountOf(trade, ["CONFIRMED"]);
}

function amountOf({ refunds }: Trade, states: readonly WalletRefund["state"][]): number {
  return [...refunds.values()]
    .filter(({ state }) => states.includes(state))
    .reduce((sum, { amount }) => sum + amount, 0);
}

function evidenceOf(facts: object): string {
  return sha256(JSON.stringify(facts));
}
