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
 * 1. Read the trade bill and stage its lines. If the wallet has no bill of the day, the bill counts
 *    as empty, unless {@link movedMoney} returns true. In this case, the day is not compared.
 * 2. When the bill is complete, compare the lines, and query the wallet about each difference that
 *    its answer can settle.
 * 3. Compare the fund-flow bill with the trade bill and with the stored orders and refunds.
 * 4. Keep the lines of the trade bill for the accounting reports, unless the bill lacks lines that
 *    an earlier run has read: see {@link keepBill}.
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
    const payTool = await ports.payTools.find(asking.id);
    if (payTool.isErr()) return payTool;
    if (payTool.value === undefined) return fail("pay-tool.not-configured");
    const account = await withProvider(ports.payTools, payTool.value);
    if (account.isErr()) return account;
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
    const result = await readTradeBill(ports, run, account.value, onLines("reading"))
      .orElse((failure) => emptyDay(ports, billed, day, failure))
      .andThen((bill) =>
        settleBill(
          ports,
          { ...run, mayMatchUnreadableLine: mayMatchUnreadableLine(bill.unreadable) },
          account.value,
          bill,
          onLines,
        ),
      );
    // Remove the staged lines after success and after failure.
    const discarded = await discardLines(ports, run);
    if (discarded.isErr()) return discarded;
    return result;
  });
}

/**
 * Returns an empty bill if the wallet has no bill of the day and moved no money on the day.
 *
 * Otherwise fails with `failure`.
 */
function emptyDay(
  ports: BillPorts,
  billed: BilledMerchant,
  day: BusinessDay,
  failure: WalletFailure | StorageFailure,
): ResultAsync<ReadTradeBill, WalletFailure | StorageFailure> {
  return attempt(async () => {
    if (isStorageFailure(failure) || failure.name !== "wallet.rejected" || failure.reason !== "no-bill")
      return err(failure);
    const hasMovement = await movedMoney(ports, billed, day);
    if (hasMovement.isErr()) return hasMovement;
    return hasMovement.value
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
    let [open, healedCount, lineCount] = [0, 0, 0];
    const take = (differences: readonly Difference[]): ResultAsync<void, StorageFailure> =>
      attempt(async () => {
        if (differences.length === 0) return ok(undefined);
        const exceptions = await ports.billExceptions.report(differences.map(({ found }) => found));
        if (exceptions.isErr()) return exceptions;
        const openIds = new Set(exceptions.value.flatMap(({ id, state }) => (state === "OPEN" ? [id] : [])));
        const healing = await healDifferences(
          ports,
          differences.filter(({ found }) => openIds.has(found.id)),
        );
        if (healing.isErr()) return healing;
        const recorded = await recordDifferences(
          ports,
          exceptions.value.filter(({ id }) => openIds.has(id)),
        );
        if (recorded.isErr()) return recorded;
        healedCount += healing.value;
        open += openIds.size - healing.value;
        return ok(undefined);
      });
    const takeFound = (exceptions: readonly FoundException[]) =>
      take(exceptions.map((one) => ({ found: one })));
    const matches = await compareBill(ports, run, take, (lines) => {
      lineCount += lines;
      onLines("comparing")(lineCount);
    });
    if (matches.isErr()) return matches;
    const taken = await unreadableExceptions(
      ports,
      run,
      "UNREADABLE_LINE",
      unreadable,
      totals.unreadable,
    ).andThen(takeFound);
    if (taken.isErr()) return taken;
    const hooks = { take: takeFound, onLines: onLines("settling") };
    const flow = await reconcileFundFlow(ports, run, account, { totals, isSettled }, hooks);
    if (flow.isErr()) return flow;
    const bill = keptBill(run, { totals, unreadable }, flow.value);
    const keeping = await keepBill(ports, run, bill, flow.value.kind === "read", (found) =>
      takeFound([found]),
    );
    if (keeping.isErr()) return keeping;
    const goneFromTrades = await closeUnseen(ports, run, TRADE_BILL_KINDS);
    if (goneFromTrades.isErr()) return goneFromTrades;
    const goneFromFlow = flow.value.kind === "read" ? await closeUnseen(ports, run, FUND_FLOW_KINDS) : ok(0);
    if (goneFromFlow.isErr()) return goneFromFlow;
    const goneCount = goneFromTrades.value + goneFromFlow.value;
    const fees = flow.value.kind === "read" ? flow.value.figures.fees : totals.fees;
    const recorded = await ports.billExceptions.recordCompared({
      ...run.bill,
      asOf: run.asOf,
      matched: matches.value,
      ...(fees === undefined ? {} : { fees }),
    });
    if (recorded.isErr()) return recorded;
    const { payChannel, accountId, day } = bill;
    emit(ports, { type: "bill.reconciled", payChannel, accountId, day, open, healed: healedCount });
    return ok({ totals, foreign, flow: flow.value, open, healed: healedCount, gone: goneCount });
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

/** Marks as GONE the exceptions of earlier runs that this run did not find. */
function closeUnseen(
  ports: Pick<Ports, "billExceptions" | "clock">,
  { bill, asOf }: BillRun,
  kinds: readonly BillExceptionKind[],
) {
  return attempt(async () => {
    let count = 0;
    for (;;) {
      const scope = { asOf, at: ports.clock.now(), kinds };
      const closed = await ports.billExceptions.closeUnseen(bill, scope, BILL_PAGE);
      if (closed.isErr()) return closed;
      count += closed.value;
      // A call can mark less than a page because another process marked some exceptions meanwhile.
      if (closed.value === 0) return ok(count);
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
