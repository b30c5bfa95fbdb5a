import type { Clock } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";
import * as z from "zod";
import type { Journal } from "./journal.js";
import {
  doneAt,
  ledgerOrder,
  type LedgerOrder,
  type LedgerPrepayment,
  type LedgerRefund,
  type PayAttempt,
  refundState,
  sameTerms,
  type Terms,
  withheldAmount,
} from "./ledger-order.js";
import { ledgerRefunds, type LedgerRefunds, type RefundTerms } from "./ledger-refunds.js";
import { digits } from "./shared/digits.js";

/** The reason why the customer cannot open or pay an order. */
export type CustomerRefusal = "unknown" | "closed" | "expired";

/**
 * The reason why the wallet refuses an order.
 *
 * - `foreign`: the number belongs to another merchant.
 * - `conflict`: the number is in use with other parameters.
 * - `paid`, `closed`, `expired`: the order can no longer be paid.
 */
export type OrderRefusal = "foreign" | "conflict" | "paid" | "closed" | "expired";

/** How a customer pays. */
export interface PaymentTerms {
  /** Whether the payment succeeds although the order is closed or expired. */
  readonly late?: boolean;
  /** Cents that a coupon covers, at most the amount. Defaults to 0. */
  readonly coupon?: number | undefined;
  /** The currency that the customer pays in. Defaults to CNY. */
  readonly payerCurrency?: string | undefined;
}

/** The orders of one wallet. Every method is atomic. */
export interface Ledger extends LedgerRefunds {
  /**
   * Stores the order and returns a prepayment.
   *
   * A repeated request with equal terms gets a new prepayment. If the response with a valid
   * prepayment was lost (`delivered` was false), that prepayment is returned again. After a restart
   * every prepayment counts as lost. At a wallet with `voidsOlderCodes`, a new NATIVE prepayment
   * makes the older ones of the order invalid.
   */
  prepay(terms: Terms, validUntil: number, delivered: boolean): Result<LedgerPrepayment, OrderRefusal>;
  /** Stores a prepayment that the merchant signed locally. Storing it again changes nothing. */
  issuePrepayment(terms: Terms, prepayment: LedgerPrepayment): Result<void, OrderRefusal>;
  /**
   * Like `issuePrepayment`, for a payload that reaches the wallet.
   *
   * If no trade exists yet, the terms of the payload replace the stored ones.
   */
  acceptPayload(terms: Terms, prepayment: LedgerPrepayment): Result<void, OrderRefusal>;
  /** Returns the order in its current state, for any merchant. */
  find(outTradeNo: string): LedgerOrder | undefined;
  /** Returns whether another process stored the order in the journal after this one had read it. */
  isOfOtherProcess(outTradeNo: string): boolean;
  /** Returns the prepayment with this token, and its order. */
  findByToken(
    token: string,
  ): { readonly order: LedgerOrder; readonly prepayment: LedgerPrepayment } | undefined;
  /** Returns the `outTradeNo` of the order with this trade number of the wallet. */
  numberOf(walletTradeNo: string): string | undefined;
  /**
   * Returns the order as its merchant sees it.
   *
   * Returns `undefined` for another merchant's order, and at Alipay for an order that no customer
   * has opened.
   */
  findFor(merchantId: string, outTradeNo: string): LedgerOrder | undefined;
  /** Records that the customer opened the payment. */
  open(outTradeNo: string): Result<LedgerOrder, CustomerRefusal>;
  /**
   * Records the payment. Paying a paid order changes nothing.
   *
   * With `late` the payment succeeds although the order is closed or expired.
   */
  pay(outTradeNo: string, how?: PaymentTerms): Result<LedgerOrder, CustomerRefusal>;
  /** Records that the customer tries to pay, or that an attempt failed. */
  attempt(outTradeNo: string, attempt: PayAttempt): Result<LedgerOrder, CustomerRefusal>;
  /** Ends the time for refunds of a paid order. Returns `undefined` if it is not paid. */
  finish(outTradeNo: string): LedgerOrder | undefined;
  close(merchantId: string, outTradeNo: string): "closed" | "absent" | "paid";
  /**
   * Returns the orders of all merchants as bills list them.
   *
   * Each order contains only the refunds that belong in a bill. See `billed`.
   */
  all(): Iterable<LedgerOrder>;
  /** Cents that customers paid, minus refunds that are not CLOSED. */
  balance(): number;
  /** Cents that the merchant can refund with; `null` means no limit. */
  funds(): number | null;
  /**
   * Sets the cents that the merchant can refund with; `null` removes the limit.
   *
   * Later payments add to them.
   */
  setFunds(cents: number | null): void;
}

/** The differences between the ledgers of the two wallets. */
export interface LedgerOptions extends RefundTerms {
  /** The `kind` of the ledger's lines in the journal. */
  readonly kind: string;
  /**
   * When an order exists for its merchant: from the prepay call, or from the customer's opening.
   */
  readonly existsFrom: "prepay" | "opening";
  /** Whether a new code of an order makes its older codes invalid. */
  readonly voidsOlderCodes: boolean;
  readonly clock: Pick<Clock, "now">;
  readonly journal: Journal;
  /** Called when a customer opens an order for the first time. */
  readonly opened?: (order: LedgerOrder) => void;
}

const funding = z.int().nullable();

/** Opens the ledger of one wallet. */
export function openLedger(options: LedgerOptions): Ledger {
  const { kind, existsFrom, clock, journal } = options;
  const orders = new Map(
    journal.read(kind, ledgerOrder).map((order) => [order.terms.outTradeNo, unheard(order)]),
  );
  const numbers = new Map<string, string>();
  const numbersOfTrades = new Map<string, string>();
  const numbersOfRefunds = new Map<string, string>();
  for (const order of orders.values()) index(order);

  function index({ terms: { outTradeNo }, prepayments, refunds, walletTradeNo }: LedgerOrder): void {
    numbersOfTrades.set(walletTradeNo, outTradeNo);
    for (const { token } of prepayments) numbers.set(token, outTradeNo);
    for (const { refundNo, walletRefundNo } of refunds)
      for (const name of [refundNo, walletRefundNo]) numbersOfRefunds.set(name, outTradeNo);
  }

  function save(order: LedgerOrder): LedgerOrder {
    journal.write(kind, order);
    orders.set(order.terms.outTradeNo, order);
    index(order);
    return order;
  }

  function find(outTradeNo: string): LedgerOrder | undefined {
    const order = orders.get(outTradeNo);
    return order === undefined ? undefined : asOfNow(order);
  }

  function asOfNow(order: LedgerOrder): LedgerOrder {
    if (order.paidAt !== null) {
      // An order becomes PAID again if a refund is closed later.
      const whole = withheldAmount(order, clock.now()) === order.terms.amount;
      return { ...order, state: whole ? "REFUNDED" : "PAID" };
    }
    // Alipay closes an expired trade by itself. WeChat Pay leaves an expired order open until a
    // call closes it.
    const ended = existsFrom === "opening" && order.state === "NOTPAY" && order.opened && isExpired(order);
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

  function issuePrepayment(terms: Terms, prepayment: LedgerPrepayment): Result<void, OrderRefusal> {
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

  function balance(): number {
    const paid = [...orders.values()].filter(({ paidAt }) => paidAt !== null);
    return paid.reduce((sum, order) => sum + order.terms.amount - withheldAmount(order, clock.now()), 0);
  }

  function billedOf({ refunds }: LedgerOrder): readonly LedgerRefund[] {
    const stateOf = (refund: LedgerRefund) => refundState(refund, clock.now());
    return options.billed === "accepted"
      ? refunds.filter((refund) => stateOf(refund) !== "CLOSED")
      : refunds
          .filter((refund) => stateOf(refund) === "SUCCESS")
          .map((refund) => ({ ...refund, at: doneAt(refund) }));
  }

  // The funds minus the balance, in cents. Stored, so that a restart does not change the funds.
  let beyond = journal.read(`${kind}-funds`, funding).at(-1) ?? null;
  const funds = () => (beyond === null ? null : balance() + beyond);

  function begin(order: LedgerOrder, changes: Partial<LedgerOrder>): LedgerOrder {
    const fresh = !order.opened;
    const openedAt = fresh ? clock.now() : order.openedAt;
    const begun = save({ ...order, opened: true, openedAt, ...changes });
    if (fresh) options.opened?.(begun);
    return begun;
  }

  return {
    ...ledgerRefunds({
      ...options,
      findByRefund: (name) => find(numbersOfRefunds.get(name) ?? ""),
      findFor,
      save,
      funds,
    }),
    find,
    findFor,
    funds,
    setFunds: (cents) => {
      beyond = cents === null ? null : cents - balance();
      journal.write(`${kind}-funds`, beyond);
    },
    numberOf: (walletTradeNo) => numbersOfTrades.get(walletTradeNo),
    findByToken: (token) => {
      const order = find(numbers.get(token) ?? "");
      const prepayment = order?.prepayments.find((known) => known.token === token);
      return order === undefined || prepayment === undefined ? undefined : { order, prepayment };
    },
    all: () => [...orders.values()].map(asOfNow).map((order) => ({ ...order, refunds: billedOf(order) })),
    balance,
    prepay: (terms, validUntil, delivered) =>
      takes(terms).map((order) => {
        const issuedAt = clock.now();
        const lost = order.prepayments.find((known) => !known.heard && issuedAt < known.validUntil);
        const prepayment =
          lost === undefined
            ? { token: digits(24), issuedAt, validUntil, heard: delivered }
            : { ...lost, heard: delivered };
        const others = order.prepayments.filter((known) => known !== lost);
        const voided = options.voidsOlderCodes && terms.paySource === "NATIVE";
        const older = voided
          ? others.map((known) => ({ ...known, validUntil: Math.min(known.validUntil, issuedAt - 1) }))
          : others;
        save({ ...order, prepayments: [...older, prepayment] });
        return prepayment;
      }),
    issuePrepayment,
    acceptPayload: (terms, prepayment) => {
      const known = find(terms.outTradeNo);
      const noTrade =
        known?.state === "NOTPAY" && !known.opened && known.terms.merchantId === terms.merchantId;
      if (noTrade && !sameTerms(known.terms, terms)) save({ ...known, terms });
      return issuePrepayment(terms, prepayment);
    },
    isOfOtherProcess: (outTradeNo) =>
      !orders.has(outTradeNo) &&
      journal.read(kind, ledgerOrder).some(({ terms }) => terms.outTradeNo === outTradeNo),
    open: (outTradeNo) => {
      const order = find(outTradeNo);
      if (order === undefined) return err("unknown");
      if (order.state === "PAID" || order.state === "REFUNDED") return ok(order);
      if (isExpired(order)) return err("expired");
      return order.state === "CLOSED" ? err("closed") : ok(begin(order, {}));
    },
    attempt: (outTradeNo, attempt) => {
      const order = find(outTradeNo);
      if (order === undefined) return err("unknown");
      if (order.state !== "NOTPAY") return err("closed");
      return isExpired(order) ? err("expired") : ok(begin(order, { attempt }));
    },
    finish: (outTradeNo) => {
      const order = find(outTradeNo);
      if (order === undefined || order.paidAt === null) return undefined;
      return order.finishedAt === null ? save({ ...order, finishedAt: clock.now() }) : order;
    },
    pay: (outTradeNo, { late = false, coupon = 0, payerCurrency = "CNY" } = {}) => {
      const order = find(outTradeNo);
      if (order === undefined) return err("unknown");
      if (order.state === "PAID" || order.state === "REFUNDED") return ok(order);
      if (!late && isExpired(order)) return err("expired");
      if (!late && order.state === "CLOSED") return err("closed");
      const payment = { coupon: Math.min(coupon, order.terms.amount), payerCurrency, attempt: null };
      return ok(begin(order, { state: "PAID", paidAt: clock.now(), ...payment }));
    },
    close: (merchantId, outTradeNo) => {
      const order = findFor(merchantId, outTradeNo);
      if (order === undefined) return "absent";
      if (order.state === "PAID" || order.state === "REFUNDED") return "paid";
      save({ ...order, state: "CLOSED", closedAt: clock.now() });
      return "closed";
    },
  };
}

// The process may have died before it recorded that the response arrived.
function unheard(order: LedgerOrder): LedgerOrder {
  return { ...order, prepayments: order.prepayments.map((prepayment) => ({ ...prepayment, heard: false })) };
}

function newOrder(terms: Terms): LedgerOrder {
  const fresh = {
    state: "NOTPAY",
    opened: false,
    openedAt: null,
    prepayments: [],
    paidAt: null,
    coupon: 0,
    payerCurrency: "CNY",
    attempt: null,
    finishedAt: null,
    closedAt: null,
    refunds: [],
  } as const;
  return { ...fresh, terms, walletTradeNo: digits(28) };
}
