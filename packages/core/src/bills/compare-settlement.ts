import type { Order } from "../orders/order.js";
import { outRefundNo, type Refund } from "../refunds/refund.js";
import type { BillExceptionKind } from "../orders/bill-exception-kind.js";
import type { Settlement } from "./bill-settlement-store.js";
import type { BillScope } from "./compare-line.js";

/** The stored order and refunds of a settlement. */
export interface SettlementRecord {
  readonly order?: Order | undefined;
  /** Every refund of the order. Can be empty if the trade bill lists the settlement. */
  readonly refunds: readonly Refund[];
}

/** The result of comparing one settlement. */
export interface ComparedSettlement {
  /** How the two bills differ. Absent if they agree. */
  readonly kind?: BillExceptionKind;
  /** Cents in the fund-flow bill. */
  readonly amountThere?: number;
  /** Cents in the trade bill, or in the stored order if the trade bill has no such line. */
  readonly amountHere?: number;
  /** Whether the trade bill of another day lists the movement, as the stored order shows. */
  readonly isOfAnotherDay?: boolean;
}

/**
 * Compares both bills under one settlement number.
 *
 * Compares the net amounts first, because some bills book a fee separately and others deduct it
 * from the payment.
 *
 * @param areFeesBooked - Whether the account paid any fee on that day. If it did not, the wallet
 *   charges the fees elsewhere, and a missing fee is a difference of the day, not of the payment.
 */
export function compareSettlement(
  settlement: Settlement,
  record: SettlementRecord,
  scope: BillScope,
  areFeesBooked: boolean,
): ComparedSettlement {
  const { stated, moved, open, refundNo } = settlement;
  if (stated.lines === 0) return compareUnlisted(moved.received, refundNo, record, scope);
  if (sameNet(settlement)) return {};
  // The money of a refund in progress leaves the account later.
  if (moved.lines === 0) return open > 0 ? {} : { kind: "MOVEMENT_MISSING", amountHere: stated.received };
  if (moved.received !== stated.received)
    return { kind: "MOVEMENT_AMOUNT", amountThere: moved.received, amountHere: stated.received };
  return areFeesBooked ? { kind: "FEE_AMOUNT", amountThere: moved.fee, amountHere: stated.fee } : {};
}

/**
 * Returns whether both bills state the same net amount.
 *
 * A payment by coupons alone has the net amount 0 and needs no movement.
 */
export function sameNet({ stated, moved }: Settlement): boolean {
  return moved.received - moved.fee === stated.received - stated.fee;
}

/**
 * The refund states in which money may have left the account.
 *
 * Excludes FAILED and WITHDRAWN refunds, and SETTLED refunds, which the merchant paid by other
 * means.
 */
const MAY_HAVE_LEFT: ReadonlySet<string> = new Set([
  "REQUESTED",
  "SENT",
  "WAITING_FOR_FUNDS",
  "ABNORMAL",
  "CONFIRMED",
]);

/** Compares a movement that the trade bill of the day does not list with the stored order. */
function compareUnlisted(
  received: number,
  refundNo: string | undefined,
  { order, refunds }: SettlementRecord,
  scope: BillScope,
): ComparedSettlement {
  const unknown: ComparedSettlement = { kind: "MOVEMENT_UNKNOWN", amountThere: received };
  if (order === undefined || !scope.payToolIds.has(order.payToolId)) return unknown;
  if (order.paymentStatus !== "PAID" && order.paymentStatus !== "REFUND") return unknown;
  const sentBack = refunds
    .filter((refund) => refundNo === undefined || outRefundNo(order, refund) === refundNo)
    .filter(({ status }) => MAY_HAVE_LEFT.has(status))
    .reduce((sum, { amount }) => sum + amount, 0);
  if (received < 0 && sentBack === 0) return unknown;
  const most = received < 0 ? -sentBack : order.amount;
  // Coupons can make a movement smaller than the order or the refund, never larger.
  return Math.abs(received) > Math.abs(most)
    ? { kind: "MOVEMENT_AMOUNT", amountThere: received, amountHere: most }
    : { isOfAnotherDay: true };
}
