import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { isId } from "../shared/random.js";
import { attempt } from "../shared/attempt.js";
import type { BillExceptionKind } from "../orders/bill-exception-kind.js";
import { billExceptionId, type FoundException } from "./bill-exception.js";
import type { Settlement } from "./bill-settlement-store.js";
import { BILL_PAGE, type BillRun, type ComparePorts, requireStaged } from "./compare-bill.js";
import {
  type ComparedSettlement,
  compareSettlement,
  sameNet,
  type SettlementRecord,
} from "./compare-settlement.js";
import { keyOf } from "../orders/order.js";

/** The ports that {@link compareSettlements} uses. */
export type CompareSettlementPorts = ComparePorts & Pick<Ports, "billSettlements">;

/** Facts about the movements of the whole day. */
export interface ComparedFlow {
  /** Whether the account has any movement of a payment, a refund or a fee. */
  readonly hasMovements: boolean;
  /** Whether the account paid or got back any fee. */
  readonly hasFees: boolean;
}

/** The sums of a day in both bills that no single settlement explains, in cents. */
export interface ComparedSums {
  /**
   * Refunds without a number of Tillkit, where the bills differ. Negative, because the money left
   * the account.
   */
  readonly refunds: { readonly stated: number; readonly moved: number };
  /** Fees of lines in the trade bill whose movements belong to another day. */
  readonly statedElsewhere: number;
  /** Fees of movements that the trade bill of the day does not list. */
  readonly movedElsewhere: number;
  /**
   * The difference of the fees, fund-flow bill less trade bill, that single settlements explain.
   */
  readonly explained: number;
}

/**
 * Compares every staged settlement, a page at a time, and passes the differences to `take`.
 *
 * Refunds without a number of Tillkit are compared as one sum. They were made in the console of the
 * wallet, or by other systems of the merchant.
 *
 * Also marks the movements that the trade bill of another day lists. The comparison of the other
 * day then does not report these movements as missing.
 */
export function compareSettlements(
  ports: CompareSettlementPorts,
  run: BillRun,
  flow: ComparedFlow,
  take: (exceptions: readonly FoundException[]) => ResultAsync<void, StorageFailure>,
): ResultAsync<ComparedSums, StorageFailure> {
  return attempt(async () => {
    let [statedElsewhere, movedElsewhere, explained] = [0, 0, 0];
    const refunds = { stated: 0, moved: 0 };
    let lookups = 0;
    let [idle, idleAmount, firstIdle]: [number, number, FoundException | undefined] = [0, 0, undefined];
    let after: string | undefined;
    do {
      const page = await ports.billSettlements.page(run.runId, after, BILL_PAGE);
      if (page.isErr()) return page;
      const staged = requireStaged(ports, run);
      if (staged.isErr()) return staged;
      // A settlement without a Tillkit order number belongs to another seller. Only its sums count.
      const ours = page.value.filter(({ outTradeNo = "" }) => isId(outTradeNo));
      const records = await recordsOf(ports, ours);
      if (records.isErr()) return records;
      const [exceptions, elsewhere]: [FoundException[], FoundException[]] = [[], []];
      for (const settlement of page.value) {
        const { stated, moved, outTradeNo = "" } = settlement;
        const record = records.value.get(outTradeNo) ?? NO_RECORD;
        const isOurs = isId(outTradeNo);
        const comparison: ComparedSettlement = isOurs
          ? compareSettlement(settlement, record, run.scope, flow.hasFees)
          : {};
        if (!isOurs && isOtherRefund(settlement)) {
          // The lines of the trade bill were compared before. Other movements are looked up.
          const isLookedUp = stated.lines === 0 && lookups < MAX_LOOKUPS;
          if (isLookedUp) lookups += 1;
          const isKnown = isLookedUp ? await isRecorded(ports, settlement) : ok(false);
          if (isKnown.isErr()) return isKnown;
          if (!isKnown.value) {
            refunds.stated += stated.received;
            refunds.moved += moved.received;
          }
        }
        if (moved.lines === 0) statedElsewhere += stated.fee;
        else if (stated.lines === 0) movedElsewhere += moved.fee;
        else if (flow.hasFees || sameNet(settlement)) explained += moved.fee - stated.fee;
        if (comparison.isOfAnotherDay === true) elsewhere.push(missing(ports, run, settlement, record));
        if (comparison.kind === undefined) continue;
        const difference = differenceOf(ports, run, settlement, record, comparison.kind, comparison);
        // If the account has no movement at all, report one difference for the day, not one per
        // payment.
        if (!flow.hasMovements && comparison.kind === "MOVEMENT_MISSING") {
          idle += 1;
          idleAmount += stated.received;
          firstIdle ??= difference;
        } else {
          exceptions.push(difference);
        }
      }
      if (elsewhere.length > 0) {
        const marked = await ports.billExceptions.markListed(elsewhere);
        if (marked.isErr()) return marked;
      }
      if (exceptions.length > 0) {
        const taken = await take(exceptions);
        if (taken.isErr()) return taken;
      }
      after = page.value.length < BILL_PAGE ? undefined : page.value.at(-1)?.settlementNo;
    } while (after !== undefined);
    const ofDay = idle === 1 ? firstIdle : idle === 0 ? undefined : wholeDay(ports, run, idleAmount);
    if (ofDay !== undefined) {
      const taken = await take([ofDay]);
      if (taken.isErr()) return taken;
    }
    return ok({ refunds, statedElsewhere, movedElsewhere, explained });
  });
}

/** The largest number of refunds without a number of Tillkit that are looked up in storage. */
const MAX_LOOKUPS = 1_000;

/** Returns whether the bills differ about money that left the account. */
function isOtherRefund(settlement: Settlement): boolean {
  const { stated, moved, open } = settlement;
  const isOut = (stated.lines === 0 ? moved : stated).received < 0;
  // The money of a refund in progress leaves the account later.
  const isInProgress = moved.lines === 0 && open > 0;
  return isOut && !isInProgress && !sameNet(settlement);
}

/** Returns whether Tillkit has stored the refund of a movement, by one of its numbers. */
function isRecorded(
  { refunds }: CompareSettlementPorts,
  { settlementNo, outTradeNo: merchantNo }: Settlement,
): ResultAsync<boolean, StorageFailure> {
  return attempt(async () => {
    for (const number of [settlementNo, merchantNo]) {
      if (number === undefined) continue;
      const page = await refunds.search({ number, limit: 1 });
      if (page.isErr()) return page;
      if (page.value.items.length > 0) return ok(true);
    }
    return ok(false);
  });
}

const NO_RECORD: SettlementRecord = { refunds: [] };

/**
 * Returns the orders that the settlements name, by order number.
 *
 * Reads the refunds of an order only for a refund that the trade bill does not list.
 */
function recordsOf(ports: CompareSettlementPorts, settlements: readonly Settlement[]) {
  return attempt(async () => {
    const ids = [...new Set(settlements.flatMap(({ outTradeNo }) => outTradeNo ?? []))];
    const records = new Map<string, SettlementRecord>();
    if (ids.length === 0) return ok(records);
    const unlistedOrders = new Set(
      settlements.flatMap(({ stated, moved, outTradeNo }) =>
        stated.lines === 0 && moved.received < 0 ? (outTradeNo ?? []) : [],
      ),
    );
    const ordersFound = await ports.orders.findByIds(ids);
    if (ordersFound.isErr()) return ordersFound;
    for (const order of ordersFound.value) {
      const refunds = unlistedOrders.has(order.id) ? await ports.refunds.list(keyOf(order)) : ok([]);
      if (refunds.isErr()) return refunds;
      records.set(order.id, { order, refunds: refunds.value });
    }
    return ok(records);
  });
}

/**
 * Creates the exception that a movement is missing on the day whose trade bill lists it.
 *
 * The comparison of that day would report the same exception.
 */
function missing(
  ports: CompareSettlementPorts,
  run: BillRun,
  settlement: Settlement,
  record: SettlementRecord,
): FoundException {
  const { received } = settlement.moved;
  return differenceOf(ports, run, settlement, record, "MOVEMENT_MISSING", { amountHere: received });
}

function differenceOf(
  { digest, clock }: Pick<Ports, "digest" | "clock">,
  { bill, scope, asOf }: BillRun,
  { settlementNo, stated, moved, outTradeNo = "", refundNo }: Settlement,
  { order }: SettlementRecord,
  kind: BillExceptionKind,
  { amountThere, amountHere }: Pick<ComparedSettlement, "amountThere" | "amountHere">,
): FoundException {
  // The comparisons of both days must produce one id, but the refund's number may be in only one
  // bill.
  const way = (stated.lines === 0 ? moved : stated).received < 0 ? "out" : "in";
  const identity = { ...bill, kind, outTradeNo, mark: `${way}:${settlementNo}` };
  const isOurs = order !== undefined && scope.payToolIds.has(order.payToolId);
  return {
    ...bill,
    kind,
    id: billExceptionId(digest, identity),
    outTradeNo,
    ...(refundNo === undefined || stated.lines > 1 ? {} : { refundNo }),
    ...(order?.walletTradeNo === undefined ? {} : { walletTradeNo: order.walletTradeNo }),
    ...(amountThere === undefined ? {} : { amountThere }),
    ...(amountHere === undefined ? {} : { amountHere }),
    ...(isOurs ? { statusHere: order.paymentStatus, order: keyOf(order) } : {}),
    asOf,
    at: clock.now(),
  };
}

/** Creates the exception of a day on which the account has none of the listed movements. */
function wholeDay(ports: Pick<Ports, "digest" | "clock">, run: BillRun, amountHere: number): FoundException {
  return dayException(ports, run, "MOVEMENT_MISSING", { amountThere: 0, amountHere });
}

/**
 * Creates an exception about the whole day of a bill. With `about`, it is about some of its lines.
 */
export function dayException(
  { digest, clock }: Pick<Ports, "digest" | "clock">,
  { bill, asOf }: Pick<BillRun, "bill" | "asOf">,
  kind: "LINE_MISSING" | "MOVEMENT_MISSING" | "MOVEMENT_TOTAL" | "FEE_TOTAL" | "BALANCE",
  amounts: { readonly amountThere: number; readonly amountHere: number },
  about = "",
): FoundException {
  const identity = { ...bill, kind, outTradeNo: "", mark: `${bill.day}${about}` };
  return {
    ...bill,
    kind,
    id: billExceptionId(digest, identity),
    outTradeNo: "",
    ...amounts,
    asOf,
    at: clock.now(),
  };
}
