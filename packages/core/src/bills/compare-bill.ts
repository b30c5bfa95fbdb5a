import { ok, type ResultAsync } from "neverthrow";
import { fail, type StorageFailure } from "../errors/failure.js";
import { type Order, keyOf } from "../orders/order.js";
import type { Ports } from "../ports.js";
import { outRefundNo, type Refund } from "../refunds/refund.js";
import { attempt } from "../shared/attempt.js";
import type { BillExceptionKind } from "../orders/bill-exception-kind.js";
import { billExceptionId, type FoundException } from "./bill-exception.js";
import type { Bill } from "./bill.js";
import type { BillLineKey } from "./bill-line-store.js";
import { type BillScope, compareLine, type Counterpart } from "./compare-line.js";
import type { MayMatchUnreadableLine } from "./may-match-unreadable-line.js";
import type { BillLine } from "../wallets/wallet-bill.js";

/** The ports that {@link compareBill} uses. */
export type ComparePorts = Pick<
  Ports,
  "billLines" | "billExceptions" | "orders" | "refunds" | "clock" | "digest" | "policy"
>;

/** One run over a bill whose lines are staged. */
export interface BillRun {
  readonly runId: string;
  readonly bill: Bill;
  readonly scope: BillScope;
  /** When the run began, epoch milliseconds. */
  readonly asOf: number;
  /** Returns whether an unreadable line of the bill may be the line with a given key. */
  readonly mayMatchUnreadableLine: MayMatchUnreadableLine;
}

/** A difference, with the order and refund that have its number. */
export interface Difference extends Counterpart {
  readonly found: FoundException;
}

/** The number of lines, orders or refunds that are in memory at once. */
export const BILL_PAGE = 100;

/**
 * Compares the staged lines with the stored orders and refunds, a page at a time.
 *
 * First compares each line with the order or refund of its number. Then looks for stored payments
 * and refunds of the day that the bill does not list. Also marks as LISTED the payments and refunds
 * of the bill that Tillkit stored under another day or has not confirmed.
 *
 * @param take - Receives the differences of each page.
 * @param onLines - Receives the number of lines of each page.
 * @returns the number of lines that equal a stored payment or refund.
 */
export function compareBill(
  ports: ComparePorts,
  run: BillRun,
  take: (differences: readonly Difference[]) => ResultAsync<void, StorageFailure>,
  onLines: (count: number) => void,
): ResultAsync<number, StorageFailure> {
  return attempt(async () => {
    let matches = 0;
    let last: BillLine | undefined;
    for (;;) {
      const lines = await ports.billLines.page(run.runId, last, BILL_PAGE);
      if (lines.isErr()) return lines;
      const staged = requireStaged(ports, run);
      if (staged.isErr()) return staged;
      const differences = await compareLines(ports, run, lines.value);
      if (differences.isErr()) return differences;
      matches += lines.value.length - differences.value.length;
      const taken = await take(differences.value);
      if (taken.isErr()) return taken;
      onLines(lines.value.length);
      last = lines.value.at(-1);
      if (lines.value.length < BILL_PAGE) break;
    }
    for (const payToolId of run.scope.payToolIds) {
      let after: Order | undefined;
      do {
        const orders = await ports.orders.listPaid({
          payToolId,
          ...dayOf(run),
          after,
          limit: BILL_PAGE,
        });
        if (orders.isErr()) return orders;
        const ours = orders.value.map((order) => ({
          order,
          key: { kind: "payment", outTradeNo: order.id } as const,
        }));
        const taken = await unlisted(ports, run, ours).andThen(take);
        if (taken.isErr()) return taken;
        after = orders.value.length < BILL_PAGE ? undefined : orders.value.at(-1);
      } while (after !== undefined);
    }
    const payToolIds = [...run.scope.payToolIds];
    let after: Refund | undefined;
    do {
      const page = await ports.refunds.listConfirmed({
        payToolIds,
        ...dayOf(run),
        after,
        limit: BILL_PAGE,
      });
      if (page.isErr()) return page;
      const ours = page.value.map(({ refund, order }) => {
        const refundNo = outRefundNo(order, refund);
        return { order, refund, key: { kind: "refund", outTradeNo: order.id, refundNo } as const };
      });
      const taking = await unlisted(ports, run, ours).andThen(take);
      if (taking.isErr()) return taking;
      after = page.value.length < BILL_PAGE ? undefined : page.value.at(-1)?.refund;
    } while (after !== undefined);
    return ok(matches);
  });
}

function compareLines(ports: ComparePorts, run: BillRun, lines: readonly BillLine[]) {
  return attempt(async () => {
    if (lines.length === 0) return ok([]);
    const ids = [...new Set(lines.map(({ outTradeNo }) => outTradeNo))];
    const rows = await ports.orders.findByIds(ids);
    if (rows.isErr()) return rows;
    const orders = new Map(rows.value.map((order) => [order.id, order]));
    const refundedOrders = new Set(
      lines.flatMap((line) => (line.kind === "refund" ? [line.outTradeNo] : [])),
    );
    const refunds = new Map<string, Refund>();
    for (const order of orders.values()) {
      if (!refundedOrders.has(order.id)) continue;
      const list = await ports.refunds.list(keyOf(order));
      if (list.isErr()) return list;
      for (const refund of list.value) refunds.set(refundKey(order.id, outRefundNo(order, refund)), refund);
    }
    const comparisons = lines.map((line) => {
      const order = orders.get(line.outTradeNo);
      const refund = refunds.get(refundKey(line.outTradeNo, line.refundNo));
      return { line, order, refund, ...compareLine(line, { order, refund }, run.scope) };
    });
    const elsewhere = comparisons.flatMap((one) =>
      one.elsewhere ? [foundOf(ports, run, notThere(one.line), one.line, one)] : [],
    );
    if (elsewhere.length > 0) {
      const marked = await ports.billExceptions.markListed(elsewhere);
      if (marked.isErr()) return marked;
    }
    return ok(
      comparisons.flatMap(({ line, kind, order, refund }): readonly Difference[] => {
        if (kind === undefined) return [];
        const exception = foundOf(ports, run, kind, line, { line, order, refund });
        // A difference about another merchant's order must not cause a query or a change of that
        // order.
        const isOurs = order !== undefined && run.scope.payToolIds.has(order.payToolId);
        return [isOurs ? { order, refund, found: exception } : { found: exception }];
      }),
    );
  });
}

/**
 * Returns the stored payments or refunds of the day that the bill does not list.
 *
 * Leaves out those that an unreadable line of the bill may list.
 */
function unlisted(
  ports: ComparePorts,
  run: BillRun,
  ours: readonly (Counterpart & { readonly key: BillLineKey })[],
) {
  return attempt(async () => {
    if (ours.length === 0) return ok([]);
    const lines = await ports.billLines.find(
      run.runId,
      ours.map(({ key }) => key),
    );
    if (lines.isErr()) return lines;
    const staged = requireStaged(ports, run);
    if (staged.isErr()) return staged;
    const keys = new Set(lines.value.map(compositeKey));
    return ok(
      ours.flatMap(({ key, order, refund }): readonly Difference[] =>
        keys.has(compositeKey(key)) || run.mayMatchUnreadableLine(key)
          ? []
          : [{ order, refund, found: foundOf(ports, run, notThere(key), key, { order, refund }) }],
      ),
    );
  });
}

/**
 * Fails if the run is so old that housekeeping may have removed its lines.
 *
 * A missing line would then prove nothing about the bill.
 */
export function requireStaged({ clock, policy }: Pick<Ports, "clock" | "policy">, { asOf }: BillRun) {
  return clock.now() < asOf + policy.billLineRetention
    ? ok(undefined)
    : fail("storage.unavailable", { cause: TOO_LATE });
}

const TOO_LATE = "the lines of the bill may have been removed meanwhile; reconcile the bill again";

function foundOf(
  { digest, clock }: Pick<Ports, "digest" | "clock">,
  { bill, asOf }: BillRun,
  kind: BillExceptionKind,
  { outTradeNo, refundNo }: BillLineKey,
  { line, order, refund }: Counterpart & { readonly line?: BillLine },
): FoundException {
  const ofRefund = kind.startsWith("REFUND");
  const here = ofRefund ? refund : order;
  const status = ofRefund ? refund?.status : order?.paymentStatus;
  const identity = { ...bill, kind, outTradeNo, ...(refundNo === undefined ? {} : { refundNo }) };
  const walletTradeNo = line?.walletTradeNo ?? order?.walletTradeNo;
  return {
    ...identity,
    id: billExceptionId(digest, identity),
    ...(walletTradeNo === undefined ? {} : { walletTradeNo }),
    ...(line === undefined ? {} : { amountThere: line.amount }),
    ...(here === undefined ? {} : { amountHere: here.amount }),
    ...(status === undefined ? {} : { statusHere: status }),
    ...(order === undefined ? {} : { order: keyOf(order) }),
    asOf,
    at: clock.now(),
  };
}

function notThere({ kind }: BillLineKey): BillExceptionKind {
  return kind === "payment" ? "PAYMENT_NOT_THERE" : "REFUND_NOT_THERE";
}

function dayOf({ scope: { from, until } }: BillRun) {
  return { from, until };
}

function compositeKey({ kind, outTradeNo, refundNo = "" }: BillLineKey): string {
  return JSON.stringify([kind, outTradeNo, refundNo]);
}

function refundKey(outTradeNo: string, refundNo: string | undefined): string {
  return compositeKey({ kind: "refund", outTradeNo, ...(refundNo === undefined ? {} : { refundNo }) });
}
