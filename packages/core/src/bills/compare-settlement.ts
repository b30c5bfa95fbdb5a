import type { Order } from "../orders/order.js";
import { outRefundNo, type Refund } from "../refunds/refund.js";
import type { BillExceptionKind } from "./bill-exception.js";
import type { Settlement } from "./bill-settlement-store.js";
import type { BillScope } from "./compare-line.js";

/** What the record has for a settlement. */
export interface SettlementRecord {
  readonly order?: Order | undefined;
  /** Every refund of the order. */
  readonly refunds: readonly Refund[];
}

/** What became of one settlement. */
export interface ComparedSettlement {
  /** How the two bills differ; absent if they do not. */
  readonly kind?: BillExceptionKind;
  /** Cents by the fund-flow bill. */
  readonly amountThere?: number;
  /** Cents by the trade bill, or by the record if the trade bill has no such line. */
  readonly amountHere?: number;
  /** Whether the record settles a movement that the trade bill of this day does not list: that of another day does. */
  readonly isOfAnotherDay?: boolean;
}

/**
 * Compares what both bills have under one number. What the account gained in all is compared first: some wallets book a fee apart, others deduct it from the payment.
 *
 * `areFeesBooked` says whether the account paid any fee that day. If it did not, the fees are charged elsewhere, and a missing fee is the day's difference, not the
 * payment's.
 */
export function compareSettlement(
  settlement: Settlement,
  found: SettlementRecord,
  scope: BillScope,
  areFeesBooked: boolean,
): ComparedSettlement {
  const { stated, moved, open, refundNo } = settlement;
  if (stated.lines === 0) return compareUnlisted(moved.received, refundNo, found, scope);
  if (sameNet(settlement)) return {};
  // A refund in progress moves the account later.
  if (moved.lines === 0) return open > 0 ? {} : { kind: "MOVEMENT_MISSING", amountHere: stated.received };
  if (moved.received !== stated.received)
    return { kind: "MOVEMENT_AMOUNT", amountThere: moved.received, amountHere: stated.received };
  return areFeesBooked ? { kind: "FEE_AMOUNT", amountThere: moved.fee, amountHere: stated.fee } : {};
}

/** Whether both bills make the account gain as much; a payment by coupons alone gains nothing and needs no movement. */
export function sameNet({ stated, moved }: Settlement): boolean {
  return moved.received - moved.fee === stated.received - stated.fee;
}

/** The states of a refund for which money may have left the account. A refund that the merchant paid by other means is not among them. */
const MAY_HAVE_LEFT: ReadonlySet<string> = new Set([
  "REQUESTED",
  "SENT",
  "WAITING_FOR_FUNDS",
  "ABNORMAL",
  "CONFIRMED",
]);

/** Compares a movement that the trade bill of the day does not list with the record. */
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
  // Coupons make a movement smaller than the order or the refund, never larger.
  return Math.abs(received) > Math.abs(most)
    ? { kind: "MOVEMENT_AMOUNT", amountThere: received, amountHere: most }
    : { isOfAnotherDay: true };
}
