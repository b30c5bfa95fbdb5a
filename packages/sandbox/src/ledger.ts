import type { Clock } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Journal } from "./journal.js";
import {
  doneAt,
  ledgerOrder,
  type LedgerOrder,
  type LedgerPrepayment,
  type LedgerRefund,
  refundState,
  sameTerms,
  type Terms,
  withheldAmount,
} from "./ledger-order.js";
import { ledgerRefunds, type LedgerRefunds, type RefundTerms } from "./ledger-refunds.js";
import { digits } from "./shared/digits.js";

/** Why the customer cannot do it. */
export type CustomerRefusal = "unknown" | "closed" | "expired";

/** Why the wallet does not take an order. `foreign`: the number is another merchant's; `conflict`: it is in use with other parameters. */
export type OrderRefusal = "foreign" | "conflict" | "paid" | "closed" | "expired";

/** One wallet's books: what happened to the orders it was asked to take. Every verb is one indivisible step. */
export interface Ledger extends LedgerRefunds {
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
  /** Every order as bills have it, whosever it is: without refunds that came to nothing, or that are not done. */
  all(): Iterable<LedgerOrder>;
  /** Cents that customers paid, less what left the merchant for them. */
  balance(): number;
  /** Cents that the merchant can refund with; `null` while that has no limit. */
  funds(): number | null;
  /** Gives the merchant so many cents to refund with. Payments add to them. `null` takes the limit away. */
  setFunds(cents: number | null): void;
}

/** What differs between the books of the two wallets. */
export interface LedgerOptions extends RefundTerms {
  /** What its lines in the journal are called. */
  readonly kind: string;
  /** When the wallet has the order: as soon as it is asked to take it, or only once the customer opens the payment. */
  readonly existsFrom: "prepay" | "opening";
  readonly clock: Pick<Clock, "now">;
  readonly journal: Journal;
  /** Called when a customer opens an order for the first time. */
  readonly opened?: (order: LedgerOrder) => void;
}

const funding = z.int().nullable();

/** Opens the books of one wallet. */
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
      // A refund that is closed later on makes the order PAID again.
      const whole = withheldAmount(order, clock.now()) === order.terms.amount;
      return { ...order, state: whole ? "REFUNDED" : "PAID" };
    }
    // A trade that exists from its opening ends by itself; the other wallet leaves an expired order open until it is closed.
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

  // What the merchant has beyond the balance; kept, so that a restart gives nobody money.
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
      return order.state === "CLOSED" ? err("closed") : ok(begin(order, {}));
    },
    pay: (outTradeNo, late = false) => {
      const order = find(outTradeNo);
      if (order === undefined) return err("unknown");
      if (order.state === "PAID" || order.state === "REFUNDED") return ok(order);
      if (!late && isExpired(order)) return err("expired");
      if (!late && order.state === "CLOSED") return err("closed");
      return ok(begin(order, { state: "PAID", paidAt: clock.now() }));
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

// The process that asked may have died before it noted the answer.
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
    closedAt: null,
    refunds: [],
  } as const;
  return { ...fresh, terms, walletTradeNo: digits(28) };
}
