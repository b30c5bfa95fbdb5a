import { outRefundNo } from "@tillkit/core/ports";
import type { CrashFinding, ClientRecords, PurchaseRecord } from "./client-records.js";
import type { OrderSnapshot } from "./read-snapshot.js";
import type { LedgerEntry } from "./read-ledger.js";

type Find = (kind: CrashFinding["kind"], what: string) => void;

/**
 * Compares what callers know with the wallets and the database, order by order.
 *
 * Runs when nothing is in progress any more.
 */
export function compareOrders(
  { purchases }: Pick<ClientRecords, "purchases">,
  ledger: readonly LedgerEntry[],
  snapshot: readonly OrderSnapshot[],
): readonly CrashFinding[] {
  const findings: CrashFinding[] = [];
  const booked = new Map(snapshot.map((entry) => [entry.order.bizNo, entry]));
  const atWallets = new Map<string, LedgerEntry[]>();
  for (const order of ledger) atWallets.set(order.bizNo, [...(atWallets.get(order.bizNo) ?? []), order]);
  for (const bizNo of new Set([...purchases.keys(), ...booked.keys(), ...atWallets.keys()])) {
    const find: Find = (kind, what) => void findings.push({ kind, bizNo, what });
    const purchase = purchases.get(bizNo);
    const entry = booked.get(bizNo);
    const stored = atWallets.get(bizNo) ?? [];
    if (purchase === undefined) find("contradiction", "it was never requested");
    else if (entry === undefined) find("lost", "it is not in the database");
    else compareOne(purchase, stored, entry, find);
    if (stored.length > 1) find("duplicated", `the wallets have ${String(stored.length)} orders for it`);
  }
  return findings;
}

function compareOne(
  purchase: PurchaseRecord,
  stored: readonly LedgerEntry[],
  entry: OrderSnapshot,
  find: Find,
): void {
  const { order, events, whole } = entry;
  const [atWallet] = stored;
  const paid = stored.some((one) => one.paid);
  const status = order.paymentStatus;
  const numbers = new Set([...purchase.numbers, order.id]);
  if (numbers.size > 1)
    find("duplicated", `the responses and the database state ${String(numbers.size)} numbers for it`);
  if (atWallet !== undefined && atWallet.outTradeNo !== order.id)
    find("contradiction", "the wallet has another number");
  if (order.amount !== purchase.amount)
    find("contradiction", "the database has another amount than was requested");
  if (stored.some(({ amount }) => amount !== purchase.amount))
    find("contradiction", "the wallet has another amount");
  if (purchase.paid && !paid) find("lost", "the wallet confirmed the payment and has no record of it");
  const settled = status === "PAID" || status === "REFUND";
  if (paid && !settled) find("lost", `it is paid at the wallet and ${status} in the database`);
  if (!paid && status !== "CLOSE")
    find("contradiction", `it was not paid, and it is ${status} in the database`);
  for (const once of ["CREATED", "PAID", "LATE_PAYMENT", "REFUNDED"]) {
    if ((events.get(once) ?? 0) > 1) find("duplicated", `${once} is on its timeline more than once`);
  }
  if (!whole) find("contradiction", "its timeline is not intact");
  compareRefunds(purchase, stored, entry, find);
}

function compareRefunds(
  { refunds, amount }: PurchaseRecord,
  stored: readonly LedgerEntry[],
  { order, refunds: booked }: OrderSnapshot,
  find: Find,
): void {
  const moved = stored.flatMap((one) => one.refunds);
  const requests = new Set([...refunds.keys()].map((refundNo) => outRefundNo(order, { refundNo })));
  if (new Set(moved.map(({ refundNo }) => refundNo)).size < moved.length)
    find("duplicated", "one refund was made twice");
  if (moved.some(({ refundNo }) => !requests.has(refundNo)))
    find("duplicated", "money was refunded without a request");
  if (booked.some(({ refundNo }) => !refunds.has(refundNo)))
    find("contradiction", "the database has a refund without a request");
  for (const [refundNo, refundRequest] of refunds) {
    const row = booked.find((refund) => refund.refundNo === refundNo);
    const move = moved.find((one) => one.refundNo === outRefundNo(order, { refundNo }));
    const reported = `refund ${refundNo}`;
    if (refundRequest.acknowledged && move === undefined)
      find("lost", `${reported} was acknowledged, and no money was refunded`);
    if (refundRequest.acknowledged && row === undefined)
      find("lost", `${reported} was acknowledged and is not in the database`);
    if (move !== undefined && row?.status !== "CONFIRMED")
      find("lost", `${reported} happened and is not CONFIRMED`);
    if (move === undefined && row?.status === "CONFIRMED")
      find("contradiction", `${reported} is CONFIRMED and did not happen`);
    const amounts = new Set([
      refundRequest.amount,
      move?.amount ?? refundRequest.amount,
      row?.amount ?? refundRequest.amount,
    ]);
    if (amounts.size > 1) find("contradiction", `${reported} has several amounts`);
  }
  const sum = moved.reduce((total, one) => total + one.amount, 0);
  if (sum > amount) find("duplicated", "more was refunded than was paid");
  if (sum !== order.refundedAmount)
    find("contradiction", "the wallet and the database have different refunded sums");
  if ((order.paymentStatus === "REFUND") !== (sum === amount)) {
    find(
      "contradiction",
      `${String(sum)} of ${String(amount)} was refunded, and it is ${order.paymentStatus}`,
    );
  }
}
