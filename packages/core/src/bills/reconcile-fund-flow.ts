import { err, ok, type ResultAsync } from "neverthrow";
import { isStorageFailure, type StorageFailure } from "../errors/failure.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import { attempt } from "../shared/attempt.js";
import type { WalletFailure } from "../wallets/wallet.js";
import type { FoundException } from "./bill-exception.js";
import type { BillRun } from "./compare-bill.js";
import {
  type ComparedSums,
  compareSettlements,
  type CompareSettlementPorts,
  dayException,
} from "./compare-settlements.js";
import type { FundFlowFigures } from "./fund-flow-figures.js";
import { type ReadFundFlow, readFundFlow } from "./read-fund-flow.js";
import type { ReadBillPorts, ReadTradeBill } from "./read-trade-bill.js";
import { unreadableExceptions } from "./unreadable-lines.js";

/** The ports that {@link reconcileFundFlow} uses. */
export type FundFlowPorts = ReadBillPorts & CompareSettlementPorts;

/** The result of a fund-flow bill. If the bill cannot be read, the trade bill is still compared. */
export type FundFlowOutcome =
  | { readonly kind: "read"; readonly figures: FundFlowFigures }
  | { readonly kind: "not-read"; readonly failure: WalletFailure };

/**
 * Compares the fund-flow bill of a run with the staged trade bill and the stored orders.
 *
 * Compares each payment and refund, the sums and the fees of the day, and the balances.
 * `hooks.take` receives the differences. Fails only with a {@link StorageFailure}. A failure of the
 * wallet is a `not-read` outcome.
 */
export function reconcileFundFlow(
  ports: FundFlowPorts,
  run: BillRun,
  account: WalletAccount,
  trade: Pick<ReadTradeBill, "totals" | "isSettled">,
  hooks: {
    readonly take: (exceptions: readonly FoundException[]) => ResultAsync<void, StorageFailure>;
    readonly onLines: (count: number) => void;
  },
): ResultAsync<FundFlowOutcome, StorageFailure> {
  return attempt(async () => {
    const flow = await readFundFlow(ports, run, account, hooks.onLines);
    if (flow.isErr()) {
      const { error: failure } = flow;
      return isStorageFailure(failure) ? err(failure) : ok<FundFlowOutcome>({ kind: "not-read", failure });
    }
    const sums = await compareSettlements(ports, run, flow.value, hooks.take);
    if (sums.isErr()) return sums;
    const unreadable = await unreadableExceptions(ports, run, "UNREADABLE_MOVEMENT", flow.value.unreadable);
    if (unreadable.isErr()) return unreadable;
    const exceptions = [...dayDifferences(ports, run, flow.value, trade, sums.value), ...unreadable.value];
    if (exceptions.length > 0) {
      const taken = await hooks.take(exceptions);
      if (taken.isErr()) return taken;
    }
    return ok<FundFlowOutcome>({ kind: "read", figures: flow.value.figures });
  });
}

function dayDifferences(
  ports: FundFlowPorts,
  run: BillRun,
  { figures, balances, hasMovements, unreadable }: ReadFundFlow,
  { totals, isSettled }: Pick<ReadTradeBill, "totals" | "isSettled">,
  { refunds, statedElsewhere, movedElsewhere, explained }: ComparedSums,
): readonly FoundException[] {
  // An unreadable line may contain the missing fee or the missing balance.
  if (unreadable.length > 0) return [];
  const exceptions: FoundException[] = [];
  // Without any movement, the account is not the one that the wallet pays to.
  if (hasMovements && totals.unreadable === undefined && refunds.moved !== refunds.stated) {
    const amounts = { amountThere: refunds.moved, amountHere: refunds.stated };
    exceptions.push(dayException(ports, run, "MOVEMENT_TOTAL", amounts));
  }
  if (isSettled && totals.fees !== undefined && totals.unreadable === undefined) {
    const amountHere = totals.fees - statedElsewhere;
    const amountThere = figures.fees - movedElsewhere;
    if (amountThere - amountHere !== explained)
      exceptions.push(dayException(ports, run, "FEE_TOTAL", { amountThere, amountHere }));
  }
  const { opening, closing, isConnected } = balances;
  if (!isConnected && opening !== undefined && closing !== undefined) {
    const change = figures.net + figures.otherIncome - figures.otherExpense;
    exceptions.push(
      dayException(ports, run, "BALANCE", { amountThere: closing, amountHere: opening + change }),
    );
  }
  return exceptions;
}
