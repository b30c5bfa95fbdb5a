import { err, ok, type ResultAsync } from "neverthrow";
import {
  fail,
  type FailureOf,
  isStorageFailure,
  type StorageFailure,
  type StorageFailureName,
} from "../errors/failure.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import { withProvider } from "../pay-tools/with-provider.js";
import type { Ports } from "../ports.js";
import type { BusinessDay } from "../shared/business-day.js";
import { emit } from "../shared/emit.js";
import { newId } from "../shared/random.js";
import { attempt } from "../shared/attempt.js";
import type { WalletFailure } from "../wallets/wallet.js";
import { type BillExceptionKind, FUND_FLOW_KINDS, TRADE_BILL_KINDS } from "../orders/bill-exception-kind.js";
import type { FoundException } from "./bill-exception.js";
import type { Bill, BilledMerchant } from "./bill.js";
import { BILL_PAGE, type BillRun, compareBill, type ComparePorts, type Difference } from "./compare-bill.js";
import { healDifferences, type HealPorts } from "./heal-differences.js";
import { keepBill } from "./keep-bill.js";
import type { KeptBill } from "./kept-bill-store.js";
import { mayMatchUnreadableLine } from "./may-match-unreadable-line.js";
import { type ReadTradeBill, readTradeBill } from "./read-trade-bill.js";
import { recordDifferences } from "./record-differences.js";
import { type FundFlowOutcome, type FundFlowPorts, reconcileFundFlow } from "./reconcile-fund-flow.js";
import { unreadableExceptions } from "./unreadable-lines.js";
import type { BillTotals } from "../wallets/wallet-bill.js";
import { EMPTY_BILL } from "./bill-tally.js";
import { movedMoney } from "./took-money.js";

/** The ports that the comparison of a bill uses. */
export type BillPorts = ComparePorts & HealPorts & FundFlowPorts & Pick<Ports, "random">;

/** The result of reconciling one bill. Amounts are cents. */
export interface ReconciledBill {
  /** The totals of the whole trade bill. */
  readonly totals: BillTotals;
  /**
   * The totals of the lines whose numbers are not Tillkit order numbers.
   *
   * They are counted and not compared: the merchant also sells through other systems.
   */
  readonly foreign: BillTotals;
  /** The result of the fund-flow bill of the same day. */
  readonly flow: FundFlowOutcome;
  /** The number of differences that this run found and that are OPEN now. */
  readonly open: number;
  /** The number of differences of this run that a response of the wallet healed. */
  readonly healed: number;
  /** The number of differences of earlier runs that this run did not find again. */
  readonly gone: number;
}

/** Why a bill was not compared. Tillkit draws no conclusion from the part that it read. */
export type BillFailure = WalletFailure | FailureOf<"pay-tool.not-configured" | StorageFailureName>;

/** The progress of a run over a bill. */
export interface BillProgress {
  readonly bill: Bill;
  /** `settling`: reading the fund-flow bill. */
  readonly doing: "reading" | "comparing" | "settling";
  /** The number of lines read or compared so far. */
  readonly lines: number;
}

/** Receives the progress of a run. */
export type OnBillProgress = (progress: BillProgress) => void;

/**
 * Compares a merchant's trade bill and fund-flow bill of a day with the stored orders and refunds.
 *
 * The steps:
 *
 * 1. Read the trade bill and stage its lines. If the wallet has no bill of the day, the day is
 *    empty if the record has no payment and no refund of it. Otherwise the day is not compared.
 * 2. When the bill is complete, compare the lines, and query the wallet about each difference that
 *    its answer can settle.
 * 3. Compare the fund-flow bill with the trade bill and with the stored orders and refunds.
 * 4. Keep the lines of the trade bill for the accounts, unless an earlier run has read more of
 *    them.
 *
 * Safe to repeat and to run in several processes at once: all runs produce the same exceptions.
 */
export function reconcileBill(
  ports: BillPorts,
  billed: BilledMerchant,
  day: BusinessDay,
  onProgress: OnBillProgress,
): ResultAsync<ReconciledBill, BillFailure> {
  return attempt(async () => {
    const { merchant, payToolIds, asking } = billed;
    const found = await ports.payTools.find(asking.id);
    if (found.isErr()) return found;
    if (found.value === undefined) return fail("pay-tool.not-configured");
    const complete = await withProvider(ports.payTools, found.value);
    if (complete.isErr()) return complete;
    const account = complete.value;
    const run = {
      runId: newId(ports),
      bill: { ...merchant, day: day.date },
      scope: { payToolIds: new Set(payToolIds), from: day.startsAt, until: day.endsAt },
      asOf: ports.clock.now(),
    };
    const onLines = (doing: BillProgress["doing"]) => (lines: number) =>
      onProgress({ bill: run.bill, doing, lines });
    const begun = await ports.keptBills.begin(run.runId, run.bill, run.asOf);
    if (begun.isErr()) return begun;
    const compared = await readTradeBill(ports, run, account, onLines("reading"))
      .orElse((failure) => emptyDay(ports, billed, day, failure))
      .andThen((read) =>
        settleBill(
          ports,
          { ...run, mayMatchUnreadableLine: mayMatchUnreadableLine(read.unreadable) },
          account,
          read,
          onLines,
        ),
      );
    // Remove the staged lines after success and after failure.
    const discarded = await discardLines(ports, run);
    if (discarded.isErr()) return discarded;
    return compared;
  });
}

/** Returns an empty bill if the wallet has none of a day without money. Else fails as before. */
function emptyDay(
  ports: BillPorts,
  billed: BilledMerchant,
  day: BusinessDay,
  failure: WalletFailure | StorageFailure,
): ResultAsync<ReadTradeBill, WalletFailure | StorageFailure> {
  return attempt(async () => {
    if (isStorageFailure(failure) || failure.name !== "wallet.rejected" || failure.reason !== "no-bill")
      return err(failure);
    const moved = await movedMoney(ports, billed, day);
    if (moved.isErr()) return moved;
    return moved.value
      ? err(failure)
      : ok<ReadTradeBill>({ totals: EMPTY_BILL, foreign: EMPTY_BILL, unreadable: [], isSettled: true });
  });
}

function settleBill(
  ports: BillPorts,
  run: BillRun,
  account: WalletAccount,
  { totals, foreign, unreadable, isSettled }: ReadTradeBill,
  onLines: (doing: BillProgress["doing"]) => (lines: number) => void,
): ResultAsync<ReconciledBill, BillFailure> {
  return attempt(async () => {
    let [open, healed, compared] = [0, 0, 0];
    const take = (differences: readonly Difference[]): ResultAsync<void, StorageFailure> =>
      attempt(async () => {
        if (differences.length === 0) return ok(undefined);
        const storedResult = await ports.billExceptions.report(differences.map(({ found }) => found));
        if (storedResult.isErr()) return storedResult;
        const stored = storedResult.value;
        const unsettled = new Set(stored.flatMap(({ id, state }) => (state === "OPEN" ? [id] : [])));
        const settledResult = await healDifferences(
          ports,
          differences.filter(({ found }) => unsettled.has(found.id)),
        );
        if (settledResult.isErr()) return settledResult;
        const settled = settledResult.value;
        const recorded = await recordDifferences(
          ports,
          stored.filter(({ id }) => unsettled.has(id)),
        );
        if (recorded.isErr()) return recorded;
        healed += settled;
        open += unsettled.size - settled;
        return ok(undefined);
      });
    const takeFound = (found: readonly FoundException[]) => take(found.map((one) => ({ found: one })));
    const comparedResult = await compareBill(ports, run, take, (lines) => {
      compared += lines;
      onLines("comparing")(compared);
    });
    if (comparedResult.isErr()) return comparedResult;
    const taken = await unreadableExceptions(
      ports,
      run,
      "UNREADABLE_LINE",
      unreadable,
      totals.unreadable,
    ).andThen(takeFound);
    if (taken.isErr()) return taken;
    const hooks = { take: takeFound, onLines: onLines("settling") };
    const flowResult = await reconcileFundFlow(ports, run, account, { totals, isSettled }, hooks);
    if (flowResult.isErr()) return flowResult;
    const flow = flowResult.value;
    const bill = keptBill(run, { totals, unreadable }, flow);
    const kept = await keepBill(ports, run, bill, flow.kind === "read", (found) => takeFound([found]));
    if (kept.isErr()) return kept;
    const goneFromTrades = await closeUnseen(ports, run, TRADE_BILL_KINDS);
    if (goneFromTrades.isErr()) return goneFromTrades;
    const goneFromFlow = flow.kind === "read" ? await closeUnseen(ports, run, FUND_FLOW_KINDS) : ok(0);
    if (goneFromFlow.isErr()) return goneFromFlow;
    const gone = goneFromTrades.value + goneFromFlow.value;
    const fees = flow.kind === "read" ? flow.figures.fees : totals.fees;
    const recorded = await ports.billExceptions.recordCompared({
      ...run.bill,
      asOf: run.asOf,
      matched: comparedResult.value,
      ...(fees === undefined ? {} : { fees }),
    });
    if (recorded.isErr()) return recorded;
    const { payChannel, accountId, day } = bill;
    emit(ports, { type: "bill.reconciled", payChannel, accountId, day, open, healed });
    return ok({ totals, foreign, flow, open, healed, gone });
  });
}

function keptBill(
  { runId, bill, asOf }: BillRun,
  { totals, unreadable }: Pick<ReadTradeBill, "totals" | "unreadable">,
  flow: FundFlowOutcome,
): KeptBill {
  const { openingBalance: opening, closingBalance: closing } = flow.kind === "read" ? flow.figures : {};
  return {
    ...bill,
    runId,
    asOf,
    lines: totals.payments + totals.refunds,
    unreadable: unreadable.length,
    ...(totals.fees === undefined ? {} : { fees: totals.fees }),
    ...(opening === undefined ? {} : { opening }),
    ...(closing === undefined ? {} : { closing }),
  };
}

/** Marks exceptions of earlier runs that this run did not find as GONE. */
function closeUnseen(
  ports: Pick<Ports, "billExceptions" | "clock">,
  { bill, asOf }: BillRun,
  kinds: readonly BillExceptionKind[],
) {
  return attempt(async () => {
    let gone = 0;
    for (;;) {
      const seen = { asOf, at: ports.clock.now(), kinds };
      const closedResult = await ports.billExceptions.closeUnseen(bill, seen, BILL_PAGE);
      if (closedResult.isErr()) return closedResult;
      const closed = closedResult.value;
      gone += closed;
      if (closed < BILL_PAGE) return ok(gone);
    }
  });
}

function discardLines(
  ports: Pick<Ports, "billLines" | "billSettlements" | "policy">,
  { runId }: Pick<BillRun, "runId">,
) {
  const { housekeepingRows: most } = ports.policy;
  return attempt(async () => {
    for (const lines of [ports.billLines, ports.billSettlements]) {
      for (;;) {
        const discarded = await lines.discard(runId, most);
        if (discarded.isErr()) return discarded;
        if (discarded.value < most) break;
      }
    }
    return ok(undefined);
  });
}
