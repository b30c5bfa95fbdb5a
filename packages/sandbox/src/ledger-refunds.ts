import { err, ok, type Result } from "neverthrow";
import { type LedgerOrder, type LedgerRefund, refundState, withheldAmount } from "./ledger-order.js";
import { digits } from "./shared/digits.js";

/**
 * The reason why the wallet refuses a refund.
 *
 * - `absent`, `not-paid`: the order does not exist or is not paid.
 * - `other-total`: the order has another amount.
 * - `exceeds`: the amount is larger than the rest of the order.
 * - `conflict`: the number belongs to a refund of another amount.
 * - `too-many`: the order has too many refunds.
 * - `too-old`: the order was paid more than 365 days ago, or its time for refunds has ended.
 * - `no-funds`: the balance of the merchant is too small.
 */
export type RefundRefusal =
  "absent" | "not-paid" | "other-total" | "exceeds" | "conflict" | "too-many" | "too-old" | "no-funds";

/** A refund that a merchant asks for. Amounts are cents. */
export interface RefundOrder {
  readonly outTradeNo: string;
  readonly refundNo: string;
  readonly amount: number;
  /** The total of the order, if the merchant states it. */
  readonly orderAmount?: number;
  readonly notifyUrl: string;
}

/** How a refund proceeds after the wallet has accepted it. */
export type RefundCourse = Pick<LedgerRefund, "outcome" | "settlesAt" | "depositBack">;

/** A refund and its order. `fresh` is true if this call created the refund. */
export interface RefundedOrder {
  readonly order: LedgerOrder;
  readonly refund: LedgerRefund;
  readonly fresh: boolean;
}

/** A refund and its order. */
export type KnownRefund = Omit<RefundedOrder, "fresh">;

/** The refunds in one wallet's ledger. Every method is atomic. */
export interface LedgerRefunds {
  /**
   * Accepts a refund, which then proceeds by `course`.
   *
   * A repeated refund number changes nothing, except at a wallet that retries CLOSED refunds
   * (`retriesClosed`).
   */
  refund(
    merchantId: string,
    request: RefundOrder,
    course: RefundCourse,
  ): Result<RefundedOrder, RefundRefusal>;
  /**
   * Returns the refund with this number of the merchant or of the wallet.
   *
   * If two orders use the number, returns the refund of the order that was saved last.
   */
  findRefund(number: string): KnownRefund | undefined;
  /** Changes the course of a refund. */
  redirect(known: KnownRefund, course: Partial<RefundCourse>): KnownRefund;
}

/** The differences between the two wallets' refunds. */
export interface RefundTerms {
  /** How many refunds an order may have. */
  readonly mostRefunds: number;
  /** Whether the number of a CLOSED refund may be used again. */
  readonly retriesClosed: boolean;
  /** Which refunds a bill contains: those accepted on its day, or those done on its day. */
  readonly billed: "accepted" | "done";
}

/** The ledger that refunds are stored in. */
export interface RefundLedgerAccess extends RefundTerms {
  readonly clock: { now(): number };
  /** Returns the order that has a refund with this number of the merchant or of the wallet. */
  findByRefund(number: string): LedgerOrder | undefined;
  findFor(merchantId: string, outTradeNo: string): LedgerOrder | undefined;
  save(order: LedgerOrder): LedgerOrder;
  /** The balance of the merchant in cents; `null` means no limit. */
  funds(): number | null;
}

const YEAR = 365 * 86_400_000;

/** Opens the refunds in the ledger of one wallet. */
export function ledgerRefunds(books: RefundLedgerAccess): LedgerRefunds {
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
    if (now - order.paidAt > YEAR || order.finishedAt !== null) return err("too-old");
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
