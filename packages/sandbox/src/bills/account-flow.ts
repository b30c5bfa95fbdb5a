import type { BillFault } from "../faults.js";
import type { LedgerOrder, LedgerRefund } from "../ledger-order.js";
import { chinaTime } from "../shared/china-time.js";
import { feeOf, returnedFee } from "./fees.js";
import { type Movement, movementsUntil } from "./movements.js";

/** One change of a merchant's balance, as a fund-flow bill lists it. */
export interface AccountMovement {
  readonly kind: "payment" | "fee" | "refund";
  readonly order: LedgerOrder;
  /** Absent for a payment and its fee. */
  readonly refund?: LedgerRefund;
  /** Cents; negative if the balance decreased. */
  readonly amount: number;
  /** Cents of the fee that the wallet returns with a refund. `amount` already includes them. */
  readonly feeWithin: number;
  /** The balance after the change, in cents. */
  readonly balance: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * The contents of a fund-flow bill.
 *
 * `lines` are printed; the counts, sums and the digest are computed from `stated`.
 */
export interface FlowContents {
  readonly lines: readonly AccountMovement[];
  readonly stated: readonly AccountMovement[];
}

/**
 * Returns the changes of a merchant's balance on a day in China, oldest first.
 *
 * @param day - `YYYY-MM-DD`.
 * @param returnsFees - whether the wallet returns its fee with a refund.
 */
export function accountFlow(
  orders: Iterable<LedgerOrder>,
  merchantId: string,
  day: string,
  returnsFees: boolean,
): readonly AccountMovement[] {
  let balance = 0;
  const flow = movementsUntil(orders, merchantId, day).flatMap((movement) =>
    booked(movement, returnsFees).map((one): AccountMovement => {
      balance += one.amount;
      return { ...one, balance };
    }),
  );
  return flow.filter(({ at }) => chinaTime(at).startsWith(day));
}

function booked(
  { order, refund, amount, at }: Movement,
  returnsFees: boolean,
): readonly Omit<AccountMovement, "balance">[] {
  if (refund !== undefined) {
    const feeWithin = returnsFees ? returnedFee(order, refund) : 0;
    return [{ kind: "refund", order, refund, amount: feeWithin - amount, feeWithin, at }];
  }
  const fee = feeOf(amount);
  const payment = { kind: "payment", order, amount, feeWithin: 0, at } as const;
  return fee === 0 ? [payment] : [payment, { ...payment, kind: "fee", amount: -fee }];
}

/**
 * Returns the contents of a fund-flow bill under a fault.
 *
 * A bill that the wallet states wrongly is consistent: `lines` equals `stated`. In a tampered bill
 * they differ.
 */
export function flowUnder(fault: BillFault | null, flow: readonly AccountMovement[]): FlowContents {
  const honest = (lines: readonly AccountMovement[]) => ({ lines, stated: lines });
  switch (fault) {
    case "wrong-amount":
      return honest(shifted(flow, ({ kind }) => kind !== "fee", 100));
    case "wrong-fee":
      return honest(shifted(flow, ({ kind }) => kind === "fee", -1));
    case "wrong-balance":
      return honest(
        flow.map((one, place) => (place === flow.length - 1 ? { ...one, balance: one.balance + 1 } : one)),
      );
    case "missing-line":
      return honest(flow.slice(1));
    case "tampered-amount":
      return { lines: shifted(flow, () => true, 100), stated: flow };
    case "tampered-drop":
      return { lines: flow.slice(1), stated: flow };
    case "tampered-add":
      return { lines: [...flow, ...flow.slice(-1)], stated: flow };
    case "extra-line":
      return honest([...flow, ...stranger(flow, flow.at(-1)?.balance ?? 0)]);
    default:
      return honest(flow);
  }
}

/** Adds `cents` to the first selected movement, and to every balance from there on. */
function shifted(
  flow: readonly AccountMovement[],
  isMeant: (movement: AccountMovement) => boolean,
  cents: number,
): readonly AccountMovement[] {
  const from = flow.findIndex(isMeant);
  return flow.map((one, place) => ({
    ...one,
    amount: one.amount + (place === from ? cents : 0),
    balance: one.balance + (from >= 0 && place >= from ? cents : 0),
  }));
}

/** A payment of an order that does not exist, with a number in the format of the service. */
function stranger(flow: readonly AccountMovement[], balance: number): readonly AccountMovement[] {
  const payment = flow.find(({ kind }) => kind === "payment");
  if (payment === undefined) return [];
  const { order, amount } = payment;
  const unknown = {
    ...order,
    terms: { ...order.terms, outTradeNo: "01K00000000000000000STRANG" },
    walletTradeNo: `9${order.walletTradeNo.slice(1)}`,
  };
  return [{ ...payment, order: unknown, balance: balance + amount }];
}
