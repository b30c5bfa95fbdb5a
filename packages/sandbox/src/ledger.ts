import { randomInt } from "node:crypto";
import type { Clock } from "@tillkit/core";
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

/** Why the wallet does not take an order. `foreign`: the number is another merchant's; `conflict`: it is in use with other parameters. */
export type OrderRefusal = "foreign" | "conflict" | "paid" | "closed" | "expired";

/** Why the wallet sends no money back. `other-total`: the order has another amount; `conflict`: the number refunds another amount. */
export type RefundRefusal = "absent" | "not-paid" | "other-total" | "exceeds" | "conflict";

/** A refund that a merchant asks for. Amounts are cents. */
export interface RefundOrder {
  readonly outTradeNo: string;
  readonly refundNo: string;
  readonly amount: number;
  /** The amount of the whole order, where the merchant states it. */
  readonly orderAmount?: number;
  readonly notifyUrl: string;
}

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
  prepay(terms: Terms, validUntil: number, heard: boolean): Result<LedgerPrepayment, OrderRefusal>;
  /** Notes a prepayment that was signed without asking the wallet; signing the same one again changes nothing. */
  handOut(terms: Terms, prepayment: LedgerPrepayment): Result<void, OrderRefusal>;
  /** Like `handOut` for a payload that reaches the wallet: where no trade exists yet, its terms count from now on. */
  takeUp(terms: Terms, prepayment: LedgerPrepayment): Result<void, OrderRefusal>;
  /** The order as it is now, for whoever looks into the books. */
  find(outTradeNo: string): LedgerOrder | undefined;
  /** The order of a prepayment that was handed out, with that prepayment. */
  findByToken(
    token: string,
  ): { readonly order: LedgerOrder; readonly prepayment: LedgerPrepayment } | undefined;
  /** The number of the order that the wallet itself calls `walletTradeNo`. */
  numberOf(walletTradeNo: string): string | undefined;
  /** The order as its merchant sees it: another's, and at WALLET_B one that no customer opened, does not exist. */
  findFor(merchantId: string, outTradeNo: string): LedgerOrder | undefined;
  /** The customer opens the payment without paying yet. */
  open(outTradeNo: string): Result<LedgerOrder, CustomerRefusal>;
  /** The customer pays; paying again changes nothing. `late`: the payment slips through though the order is closed or its time is over. */
  pay(outTradeNo: string, late?: boolean): Result<LedgerOrder, CustomerRefusal>;
  close(merchantId: string, outTradeNo: string): "closed" | "absent" | "paid";
  /** Sends money back at once; the same number again does nothing more. */
  refund(merchantId: string, request: RefundOrder): Result<RefundedOrder, RefundRefusal>;
  /** The refund with this number, in its merchant's order. */
  findRefund(merchantId: string, refundNo: string): Omit<RefundedOrder, "fresh"> | undefined;
  /** Every order, whosever it is. */
  all(): Iterable<LedgerOrder>;
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
  const numbers = new Map<string, string>();
  const numbersOfTrades = new Map<string, string>();
  for (const order of orders.values()) index(order);

  function index({ terms: { outTradeNo }, prepayments, walletTradeNo }: LedgerOrder): void {
    numbersOfTrades.set(walletTradeNo, outTradeNo);
    for (const { token } of prepayments) numbers.set(token, outTradeNo);
  }

  function save(order: LedgerOrder): LedgerOrder {
    journal.write(kind, order);
    orders.set(order.terms.outTradeNo, order);
    index(order);
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

  function takes(terms: Terms): Result<LedgerOrder, OrderRefusal> {
    const order = find(terms.outTradeNo) ?? newOrder(terms);
    if (order.terms.merchantId !== terms.merchantId) return err("foreign");
    if (order.state === "PAID" || order.state === "REFUNDED") return err("paid");
    if (order.state === "CLOSED") return err("closed");
    if (!sameTerms(order.terms, terms)) return err("conflict");
    return isExpired(order) ? err("expired") : ok(order);
  }

  function handOut(terms: Terms, prepayment: LedgerPrepayment): Result<void, OrderRefusal> {
    const known = orders.get(terms.outTradeNo);
    const again = known?.prepayments.some(({ token }) => token === prepayment.token) === true;
    if (again && sameTerms(known.terms, terms)) return ok(undefined);
    return takes(terms).map((order) => {
      save({ ...order, prepayments: [...order.prepayments, prepayment] });
    });
  }

  const findFor: Ledger["findFor"] = (merchantId, outTradeNo) => {
    const order = find(outTradeNo);
    const exists = existsFrom === "prepay" || order?.opened === true;
    return exists && order?.terms.merchantId === merchantId ? order : undefined;
  };

  return {
    find,
    findFor,
    findRefund: (merchantId, refundNo) => {
      for (const order of orders.values()) {
        const refund = order.refunds.find((known) => known.refundNo === refundNo);
        if (refund !== undefined && order.terms.merchantId === merchantId) return { order, refund };
      }
      return undefined;
    },
    numberOf: (walletTradeNo) => numbersOfTrades.get(walletTradeNo),
    findByToken: (token) => {
      const order = find(numbers.get(token) ?? "");
      const prepayment = order?.prepayments.find((known) => known.token === token);
      return order === undefined || prepayment === undefined ? undefined : { order, prepayment };
    },
    all: () => orders.values(),
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
    handOut,
    takeUp: (terms, prepayment) => {
      const known = find(terms.outTradeNo);
      const noTrade =
        known?.state === "NOTPAY" && !known.opened && known.terms.merchantId === terms.merchantId;
      if (noTrade && !sameTerms(known.terms, terms)) save({ ...known, terms });
      return handOut(terms, prepayment);
    },
    open: (outTradeNo) => {
      const order = find(outTradeNo);
      if (order === undefined) return err("unknown");
      if (order.state === "PAID" || order.state === "REFUNDED") return ok(order);
      if (isExpired(order)) return err("expired");
      return order.state === "CLOSED" ? err("closed") : ok(save({ ...order, opened: true }));
    },
    pay: (outTradeNo, late = false) => {
      const order = find(outTradeNo);
      if (order === undefined) return err("unknown");
      if (order.state === "PAID" || order.state === "REFUNDED") return ok(order);
      if (!late && isExpired(order)) return err("expired");
      if (!late && order.state === "CLOSED") return err("closed");
      return ok(save({ ...order, state: "PAID", opened: true, paidAt: clock.now() }));
    },
    close: (merchantId, outTradeNo) => {
      const order = findFor(merchantId, outTradeNo);
      if (order === undefined) return "absent";
      if (order.state === "PAID" || order.state === "REFUNDED") return "paid";
      save({ ...order, state: "CLOSED", closedAt: clock.now() });
      return "closed";
    },
    refund: (merchantId, { outTradeNo, refundNo, amount, orderAmount, notifyUrl }) => {
      const order = findFor(merchantId, outTradeNo);
      if (order === undefined) return err("absent");
      const known = order.refunds.find((refund) => refund.refundNo === refundNo);
      if (known !== undefined) {
        return known.amount === amount ? ok({ order, refund: known, fresh: false }) : err("conflict");
      }
      if (order.paidAt === null) return err("not-paid");
      if (orderAmount !== undefined && orderAmount !== order.terms.amount) return err("other-total");
      const total = refundedAmount(order) + amount;
      if (!Number.isSafeInteger(amount) || amount < 1 || total > order.terms.amount) return err("exceeds");
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
  const fresh = {
    state: "NOTPAY",
    opened: false,
    prepayments: [],
    paidAt: null,
    closedAt: null,
    refunds: [],
  } as const;
  return { ...fresh, terms, walletTradeNo: digits(28) };
}

/** So many digits are drawn at once: `randomInt` takes no more than 48 bits. */
const DRAWN = 14;

function digits(count: number): string {
  const draw = () => String(randomInt(10 ** DRAWN)).padStart(DRAWN, "0");
  return Array.from({ length: Math.ceil(count / DRAWN) }, draw)
    .join("")
    .slice(0, count);
}
