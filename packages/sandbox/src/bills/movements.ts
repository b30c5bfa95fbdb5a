import type { BillFault } from "../faults.js";
import type { LedgerOrder, LedgerRefund } from "../ledger-order.js";
import { chinaTime } from "../shared/china-time.js";

/** A payment or a refund, as a bill lists it. */
export interface Movement {
  readonly order: LedgerOrder;
  /** Absent for a payment. */
  readonly refund?: LedgerRefund;
  /** Cents, positive. */
  readonly amount: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Returns a merchant's payments and refunds on a day (`YYYY-MM-DD`) in China, oldest first. */
export function movementsOf(
  orders: Iterable<LedgerOrder>,
  merchantId: string,
  day: string,
): readonly Movement[] {
  return movementsUntil(orders, merchantId, day).filter(({ at }) => chinaTime(at).startsWith(day));
}

/** Returns a merchant's payments and refunds up to the end of a day in China, oldest first. */
export function movementsUntil(
  orders: Iterable<LedgerOrder>,
  merchantId: string,
  day: string,
): readonly Movement[] {
  return [...orders]
    .filter(({ terms }) => terms.merchantId === merchantId)
    .flatMap((order): Movement[] =>
      order.paidAt === null
        ? []
        : [
            { order, amount: order.terms.amount, at: order.paidAt },
            ...order.refunds.map((refund) => ({ order, refund, amount: refund.amount, at: refund.at })),
          ],
    )
    .filter(({ at }) => chinaTime(at).slice(0, day.length) <= day)
    .sort((left, right) => left.at - right.at);
}

/**
 * The contents of a bill.
 *
 * `lines` are printed; the counts, sums and the digest are computed from `stated`.
 */
export interface BillContents {
  readonly lines: readonly Movement[];
  readonly stated: readonly Movement[];
}

/**
 * Returns the contents of a bill under a fault.
 *
 * A bill that the wallet states wrongly is consistent: `lines` equals `stated`. In a tampered bill
 * they differ.
 */
export function contentsUnder(
  fault: BillFault | null,
  movements: readonly Movement[],
  day: string,
): BillContents {
  switch (fault) {
    case "wrong-amount":
      return honest(dearer(movements));
    case "missing-line":
      return honest(movements.slice(1));
    case "extra-line":
      return honest([...movements, ...stranger(movements, day)]);
    case "tampered-amount":
      return { lines: dearer(movements), stated: movements };
    case "tampered-drop":
      return { lines: movements.slice(1), stated: movements };
    case "tampered-add":
      return { lines: [...movements, ...stranger(movements, day)], stated: movements };
    default:
      return honest(movements);
  }
}

function honest(movements: readonly Movement[]): BillContents {
  return { lines: movements, stated: movements };
}

/** Adds one yuan to the first movement. */
function dearer(movements: readonly Movement[]): readonly Movement[] {
  return movements.map((movement, place) =>
    place === 0 ? { ...movement, amount: movement.amount + 100 } : movement,
  );
}

/**
 * A copy of the first payment for an order that does not exist, numbered in the service's format.
 */
function stranger([first]: readonly Movement[], day: string): readonly Movement[] {
  if (first === undefined) return [];
  const outTradeNo = `01K${day.replaceAll("-", "")}0000000000EXTRA`;
  const { order } = first;
  const unknown = {
    ...order,
    terms: { ...order.terms, outTradeNo },
    walletTradeNo: `9${order.walletTradeNo.slice(1)}`,
  };
  return [{ order: unknown, amount: order.terms.amount, at: first.at }];
}
