import { err, ok, type Result } from "neverthrow";
import { type LedgerOrder, type LedgerRefund, refundState, withheldAmount } from "./ledger-order.js";
import { digits } from "./shared/digits.js";

/**
 * Why the wallet sends no money back.
 *
 * `other-total`: the order has another amount. `conflict`: the number refunds another amount. `exceeds`: less than this is left of the order.
 * `too-many`, `too-old`: the order was refunded too often, or was paid too long ago. `no-funds`: the merchant's balance is too small.
 */
export type RefundRefusal =
  "absent" | "not-paid" | "other-total" | "exceeds" | "conflict" | "too-many" | "too-old" | "no-funds";

/** A refund that a merchant asks for. Amounts are cents. */
export interface RefundOrder {
  readonly outTradeNo: string;
  readonly refundNo: string;
  readonly amount: number;
  /** The amount of the whole order, where the merchant states it. */
  readonly orderAmount?: number;
  readonly notifyUrl: string;
}

/** How a refund goes on after the wallet has accepted it. */
export type RefundCourse = Pick<LedgerRefund, "outcome" | "settlesAt" | "depositBack">;

/** A refund in its order; `fresh` when this very call moved the money. */
export interface RefundedOrder {
  readonly order: LedgerOrder;
  readonly refund: LedgerRefund;
  readonly fresh: boolean;
}

/** A refund, and the order that it belongs to. */
export type KnownRefund = Omit<RefundedOrder, "fresh">;

/** The refunds in one wallet's books. Every method is one indivisible step. */
export interface LedgerRefunds {
  /** Accepts a refund, which then takes `course`. The same number again changes nothing, except where a wallet retries what failed. */
  refund(
    merchantId: string,
    request: RefundOrder,
    course: RefundCourse,
  ): Result<RefundedOrder, RefundRefusal>;
  /** The refund with this number, which is the merchant's or the wallet's own. Of several the one accepted last. */
  findRefund(number: string): KnownRefund | undefined;
  /** Puts a refund on another course. */
  redirect(known: KnownRefund, course: Partial<RefundCourse>): KnownRefund;
}

/** What the two wallets do differently with refunds. */
export interface RefundTerms {
  /** How many refunds an order may have. */
  readonly mostRefunds: number;
  /** Whether a number whose refund is CLOSED may be used once more. */
  readonly retriesClosed: boolean;
  /** Which refunds a bill has: those accepted on its day, with their states, or those done on its day. */
  readonly billed: "accepted" | "done";
}

/** What refunds are written into. */
export interface RefundBooks extends RefundTerms {
  readonly clock: { now(): number };
  /** The order whose refund has this number, which is the merchant's or the wallet's own. */
  findByRefund(number: string): LedgerOrder | undefined;
  findFor(merchantId: string, outTradeNo: string): LedgerOrder | undefined;
  save(order: LedgerOrder): LedgerOrder;
  /** What the merchant has in cents; `null` is without limit. */
  funds(): number | null;
}

const YEAR = 365 * 86_400_000;

/** Opens the refunds in the books of one wallet. */
export function ledgerRefunds(books: RefundBooks): LedgerRefunds {
  const { clock } = books;

  function accept(
    order: LedgerOrder,
    { refundNo, amount, orderAmount, notifyUrl }: RefundOrder,
    course: RefundCourse,
  ): Result<RefundedOrder, RefundRefusal> {
    const [now, funds] = [clock.now(), books.funds()];
    const others = order.refunds.filter((known) => known.refundNo !== refundNo);
    if (order.paidAt === null) return err("not-paid");
    if (orderAmount !== undefined && orderAmount !== order.terms.amount) return err("other-total");
    const total = withheldAmount({ ...order, refunds: others }, now) + amount;
    if (!Number.isSafeInteger(amount) || amount < 1 || total > order.terms.amount) return err("exceeds");
    if (others.length >= books.mostRefunds) return err("too-many");
    if (now - order.paidAt > YEAR) return err("too-old");
    if (funds !== null && amount > funds) return err("no-funds");
    const refund: LedgerRefund = {
      refundNo,
      amount,
      walletRefundNo: digits(28),
      notifyUrl,
      at: now,
      ...course,
    };
    return ok({ order: books.save({ ...order, refunds: [...others, refund] }), refund, fresh: true });
  }

  return {
    refund: (merchantId, request, course) => {
      const order = books.findFor(merchantId, request.outTradeNo);
      if (order === undefined) return err("absent");
      const known = order.refunds.find(({ refundNo }) => refundNo === request.refundNo);
      if (known === undefined) return accept(order, request, course);
      if (known.amount !== request.amount) return err("conflict");
      const again = books.retriesClosed && refundState(known, clock.now()) === "CLOSED";
      return again ? accept(order, request, course) : ok({ order, refund: known, fresh: false });
    },
    findRefund: (number) => {
      const order = books.findByRefund(number);
      const refund = order?.refunds.find(
        ({ refundNo, walletRefundNo }) => refundNo === number || walletRefundNo === number,
      );
      return order === undefined || refund === undefined ? undefined : { order, refund };
    },
    redirect: ({ order, refund: known }, course) => {
      const refund = { ...known, ...course };
      const refunds = order.refunds.map((other) => (other.refundNo === known.refundNo ? refund : other));
      return { order: books.save({ ...order, refunds }), refund };
    },
  };
}
