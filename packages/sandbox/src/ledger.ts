import { randomInt } from "node:crypto";
import type { Clock, WalletRefundRequest, WalletRejected } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";
import type { Journal } from "./journal.js";
import {
  ledgerOrder,
  type LedgerOrder,
  type LedgerPrepayment,
  type LedgerRefund,
  refundedAmount,
  sameTerms,
  type Terms,
} from "./ledger-order.js";

/** Why the customer cannot do it. */
export type CustomerRefusal = "unknown" | "closed" | "expired";

/** A refund in its order; `fresh` when this very call moved the money. */
export interface RefundedOrder {
  readonly order: LedgerOrder;
  readonly refund: LedgerRefund;
  readonly fresh: boolean;
}

/** One wallet's books: what happened to the orders it was asked to take. Every verb is one indivisible step. */
export interface Ledger {
  /**
   * Takes the order and hands out a prepayment. An unpaid order with the same terms gets a new one, except that one whose answer was lost
   * (`heard` false) is handed out again; so is every one from before a restart.
   */
  prepay(terms: Terms, validUntil: number, heard: boolean): Result<LedgerPrepayment, WalletRejected>;
  /** Notes a prepayment that was signed without asking the wallet; signing the same one again changes nothing. */
  handOut(terms: Terms, prepayment: LedgerPrepayment): Result<void, WalletRejected>;
  /** The order as it is now, for whoever looks into the books. */
  find(outTradeNo: string): LedgerOrder | undefined;
  /** The order as its merchant sees it: another's, and at WALLET_B one that no customer opened, does not exist. */
  findFor(merchantId: string, outTradeNo: string): LedgerOrder | undefined;
  /** The customer opens the payment without paying yet. */
  open(outTradeNo: string): Result<LedgerOrder, CustomerRefusal>;
  /** The customer pays; paying again changes nothing. */
  pay(outTradeNo: string): Result<LedgerOrder, CustomerRefusal>;
  close(merchantId: string, outTradeNo: string): "closed" | "absent" | "paid";
  /** Sends money back at once; the same number again does nothing more. */
  refund(merchantId: string, request: WalletRefundRequest): Result<RefundedOrder, WalletRejected>;
  /** Cents that customers paid, less what went back to them. */
  balance(): number;
}

/** What differs between the books of the two wallets. */
export interface LedgerOptions {
  /** What its lines in the journal are called. */
  readonly kind: string;
  /** When the wallet has the order: as soon as it is asked to take it, or only once the customer opens the payment. */
  readonly existsFrom: "prepay" | "opening";
  readonly clock: Pick<Clock, "now">;
  readonly journal: Journal;
}

/** Opens the books of one wallet. */
export function openLedger({ kind, existsFrom, clock, journal }: LedgerOptions): Ledger {
  const orders = new Map(
    journal.read(kind, ledgerOrder).map((order) => [order.terms.outTradeNo, unheard(order)]),
  );

  function save(order: LedgerOrder): LedgerOrder {
    orders.set(order.terms.outTradeNo, order);
    journal.write(kind, order);
    return order;
  }

  function find(outTradeNo: string): LedgerOrder | undefined {
    const order = orders.get(outTradeNo);
    if (order === undefined || existsFrom === "prepay") return order;
    // A trade that exists from its opening ends by itself; the other wallet leaves an expired order open until it is closed.
    const ended = order.state === "NOTPAY" && order.opened && isExpired(order);
    return ended ? { ...order, state: "CLOSED" } : order;
  }

  function isExpired({ terms }: LedgerOrder): boolean {
    return clock.now() > terms.expiresAt;
  }

  function takes(terms: Terms): Result<LedgerOrder, WalletRejected> {
    const order = find(terms.outTradeNo) ?? newOrder(terms);
    if (order.terms.merchantId !== terms.merchantId)
      return rejected("conflict", "the number is another merchant's");
    if (order.state === "PAID" || order.state === "REFUNDED") return rejected("paid", "the order is paid");
    if (order.state === "CLOSED") return rejected("closed", "the order is closed");
    if (!sameTerms(order.terms, terms))
      return rejected("conflict", "the number is in use with other parameters");
    return isExpired(order) ? rejected("closed", "the time to pay is over") : ok(order);
  }

  const findFor: Ledger["findFor"] = (merchantId, outTradeNo) => {
    const order = find(outTradeNo);
    const exists = existsFrom === "prepay" || order?.opened === true;
    return exists && order?.terms.merchantId === merchantId ? order : undefined;
  };

  return {
    find,
    findFor,
    balance: () => {
      const paid = [...orders.values()].filter(({ paidAt }) => paidAt !== null);
      return paid.reduce((sum, order) => sum + order.terms.amount - refundedAmount(order), 0);
    },
    prepay: (terms, validUntil, heard) =>
      takes(terms).map((order) => {
        const issuedAt = clock.now();
        const lost = order.prepayments.find((known) => !known.heard && issuedAt < known.validUntil);
        const prepayment =
          lost === undefined ? { token: digits(24), issuedAt, validUntil, heard } : { ...lost, heard };
        const others = order.prepayments.filter((known) => known !== lost);
        save({ ...order, prepayments: [...others, prepayment] });
        return prepayment;
      }),
    handOut: (terms, prepayment) => {
      const known = orders.get(terms.outTradeNo);
      if (
        known?.prepayments.some(({ token }) => token === prepayment.token) === true &&
        sameTerms(known.terms, terms)
      ) {
        return ok(undefined);
      }
      return takes(terms).map((order) => {
        save({ ...order, prepayments: [...order.prepayments, prepayment] });
      });
    },
    open: (outTradeNo) => {
      const order = find(outTradeNo);
      if (order === undefined) return err("unknown");
      if (order.state === "PAID" || order.state === "REFUNDED") return ok(order);
      if (isExpired(order)) return err("expired");
      return order.state === "CLOSED" ? err("closed") : ok(save({ ...order, opened: true }));
    },
    pay: (outTradeNo) => {
      const order = find(outTradeNo);
      if (order === undefined) return err("unknown");
      if (order.state === "PAID" || order.state === "REFUNDED") return ok(order);
      if (isExpired(order)) return err("expired");
      if (order.state === "CLOSED") return err("closed");
      return ok(save({ ...order, state: "PAID", opened: true, paidAt: clock.now() }));
    },
    close: (merchantId, outTradeNo) => {
      const order = findFor(merchantId, outTradeNo);
      if (order === undefined) return "absent";
      if (order.state === "PAID" || order.state === "REFUNDED") return "paid";
      save({ ...order, state: "CLOSED" });
      return "closed";
    },
    refund: (merchantId, { outTradeNo, refundNo, amount, orderAmount, notifyUrl }) => {
      const order = findFor(merchantId, outTradeNo);
      if (order === undefined) return rejected("other", "there is no such order");
      const known = order.refunds.find((refund) => refund.refundNo === refundNo);
      if (known !== undefined) {
        const same = known.amount === amount;
        return same
          ? ok({ order, refund: known, fresh: false })
          : rejected("conflict", "the number refunds another amount");
      }
      if (order.paidAt === null) return rejected("other", "the order is not paid");
      if (orderAmount !== order.terms.amount) return rejected("other", "the order has another amount");
      const total = refundedAmount(order) + amount;
      if (!Number.isSafeInteger(amount) || amount < 1 || total > order.terms.amount) {
        return rejected("other", "the refund is more than what is left");
      }
      const refund: LedgerRefund = {
        refundNo,
        amount,
        walletRefundNo: digits(28),
        notifyUrl,
        at: clock.now(),
      };
      const state = total === order.terms.amount ? "REFUNDED" : "PAID";
      return ok({
        order: save({ ...order, state, refunds: [...order.refunds, refund] }),
        refund,
        fresh: true,
      });
    },
  };
}

// The process that asked may have died before it noted the answer.
function unheard(order: LedgerOrder): LedgerOrder {
  return { ...order, prepayments: order.prepayments.map((prepayment) => ({ ...prepayment, heard: false })) };
}

function newOrder(terms: Terms): LedgerOrder {
  const walletTradeNo = digits(28);
  return { terms, state: "NOTPAY", opened: false, prepayments: [], walletTradeNo, paidAt: null, refunds: [] };
}

function rejected(reason: WalletRejected["reason"], detail: string) {
  return err<never, WalletRejected>({ name: "wallet.rejected", reason, detail });
}

function digits(count: number): string {
  return Array.from({ length: count }, () => String(randomInt(10))).join("");
}
