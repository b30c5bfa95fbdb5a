import { type BillException, isOpenRefund, outRefundNo } from "@tillkit/core/ports";
import type { LedgerEntry } from "../read-ledger.js";
import type { OrderSnapshot } from "../read-snapshot.js";

/** Where the payments or the refunds of the wallets are found. Amounts are cents. */
export interface Account {
  /** At the wallets. */
  readonly total: number;
  /** In the database, with the same amount. */
  readonly recorded: number;
  /** Not in the database, but named by an open exception with the same amount. */
  readonly reported: number;
  /** Neither in the database nor named by an exception. Each text names a payment or a refund. */
  readonly unaccounted: readonly string[];
  readonly amountAtWallets: number;
  readonly amountAccounted: number;
}

/** All money at the wallets, and where Tillkit has it. */
export interface RestoreAudit {
  readonly payments: Account;
  readonly refunds: Account;
  /** What the database states and no wallet confirms, and broken timelines. */
  readonly contradictions: readonly string[];
}

/** What an audit compares. */
export interface AuditInput {
  readonly ledger: readonly LedgerEntry[];
  readonly snapshot: readonly OrderSnapshot[];
  readonly exceptions: readonly BillException[];
}

type Place = "recorded" | "reported" | "unaccounted";
interface Item {
  readonly name: string;
  readonly amount: number;
  readonly place: Place;
}

/** Looks for every payment and every refund of the wallets in the database and the exceptions. */
export function auditRestore({ ledger, snapshot, exceptions }: AuditInput): RestoreAudit {
  const byId = new Map(snapshot.map((stored) => [stored.order.id, stored]));
  const isReported = (kind: BillException["kind"], name: string, amount: number) =>
    exceptions.some(
      (found) =>
        found.kind === kind && (found.refundNo ?? found.outTradeNo) === name && found.amountThere === amount,
    );
  const place = (kind: BillException["kind"], name: string, amount: number, recorded: boolean): Item => {
    if (recorded) return { name, amount, place: "recorded" };
    return { name, amount, place: isReported(kind, name, amount) ? "reported" : "unaccounted" };
  };
  const payments = ledger
    .filter(({ paid }) => paid)
    .map(({ outTradeNo, amount }) => {
      const order = byId.get(outTradeNo)?.order;
      const isPaid = order?.paymentStatus === "PAID" || order?.paymentStatus === "REFUND";
      return place("PAYMENT_NOT_HERE", outTradeNo, amount, isPaid && order.amount === amount);
    });
  const refunds = ledger.flatMap((entry) =>
    entry.refunds.map(({ refundNo, amount }) => {
      const recorded = isRefundRecorded(byId.get(entry.outTradeNo), entry, refundNo, amount);
      return place("REFUND_NOT_HERE", refundNo, amount, recorded);
    }),
  );
  return {
    payments: accountOf(payments),
    refunds: accountOf(refunds),
    contradictions: snapshot.flatMap((stored) => contradictionsOf(stored, ledger)),
  };
}

/** Returns whether the order was imported, so that it has a refunded amount without refunds. */
function wasImported({ events }: OrderSnapshot): boolean {
  return events.has("IMPORTED");
}

function isRefundRecorded(
  stored: OrderSnapshot | undefined,
  entry: LedgerEntry,
  refundNo: string,
  amount: number,
): boolean {
  if (stored === undefined) return false;
  const { order, refunds } = stored;
  const refund = refunds.find((one) => outRefundNo(order, one) === refundNo);
  if (refund !== undefined) return refund.status === "CONFIRMED" && refund.amount === amount;
  return wasImported(stored) && order.refundedAmount === sumOf(entry.refunds);
}

function accountOf(items: readonly Item[]): Account {
  const at = (place: Place) => items.filter((item) => item.place === place);
  const unaccounted = at("unaccounted");
  return {
    total: items.length,
    recorded: at("recorded").length,
    reported: at("reported").length,
    unaccounted: unaccounted.map(({ name, amount }) => `${name} of ${String(amount)} cents`),
    amountAtWallets: sumOf(items),
    amountAccounted: sumOf(items) - sumOf(unaccounted),
  };
}

function contradictionsOf(stored: OrderSnapshot, ledger: readonly LedgerEntry[]): readonly string[] {
  const { order, refunds, whole, events } = stored;
  const entry = ledger.find(({ outTradeNo }) => outTradeNo === order.id);
  const isPaid = order.paymentStatus === "PAID" || order.paymentStatus === "REFUND";
  const there = sumOf(entry?.refunds ?? []);
  const paidEvents = (events.get("PAID") ?? 0) + (events.get("LATE_PAYMENT") ?? 0);
  return [
    whole ? [] : [`${order.bizNo}: the timeline is broken`],
    paidEvents <= 1 ? [] : [`${order.bizNo}: was paid ${String(paidEvents)} times`],
    !isPaid || entry?.paid === true ? [] : [`${order.bizNo}: is paid here alone`],
    order.refundedAmount <= there ? [] : [`${order.bizNo}: refunded more than the wallet did`],
    refunds.some(isOpenRefund) ? [`${order.bizNo}: a refund is still open`] : [],
  ].flat();
}

function sumOf(items: readonly { readonly amount: number }[]): number {
  return items.reduce((sum, { amount }) => sum + amount, 0);
}
