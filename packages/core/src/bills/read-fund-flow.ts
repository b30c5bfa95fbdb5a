import { err, errAsync, ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import { attempt } from "../shared/attempt.js";
import { aboutAccount, callWallet } from "../wallets/call-wallet.js";
import type { WalletFailure } from "../wallets/wallet.js";
import { type BalanceFindings, balanceChain } from "./balance-chain.js";
import type { SettlementEntry } from "./bill-settlement-store.js";
import type { BillRun } from "./compare-bill.js";
import { EMPTY_FLOW, type FlowEntry, type FlowLine, isSameFlow, tallyFlow } from "../wallets/fund-flow.js";
import { type FundFlowFigures, NO_FIGURES, tallyFigures } from "./fund-flow-figures.js";
import { numbersOf } from "./merchant-number.js";
import type { ReadBillPorts } from "./read-trade-bill.js";
import { unreadableLines } from "./unreadable-lines.js";
import type { UnreadableLine } from "../wallets/wallet-bill.js";

/** A complete fund-flow bill whose movements are staged. */
export interface ReadFundFlow {
  readonly figures: FundFlowFigures;
  readonly balances: BalanceFindings;
  /** Whether the account has any movement of a payment, a refund or a fee. */
  readonly hasMovements: boolean;
  /** Whether the account paid or got back any fee. */
  readonly hasFees: boolean;
  /** Every unreadable line. */
  readonly unreadable: readonly UnreadableLine[];
}

/**
 * Reads the fund-flow bill of a run and stages its movements.
 *
 * Fails if the movements do not add up to the bill's totals, or if too many lines are unreadable.
 */
export function readFundFlow(
  ports: ReadBillPorts,
  { runId, bill }: Pick<BillRun, "runId" | "bill">,
  account: WalletAccount,
  onLines: (count: number) => void,
): ResultAsync<ReadFundFlow, WalletFailure | StorageFailure> {
  return attempt(async () => {
    let [sums, figures] = [EMPTY_FLOW, NO_FIGURES];
    let [hasMovements, hasFees] = [false, false];
    const unreadable = unreadableLines(ports.policy);
    const chain = balanceChain();
    const take = (entries: readonly FlowEntry[]): ResultAsync<void, WalletFailure | StorageFailure> => {
      const counted = unreadable.add(entries);
      if (counted.isErr()) return errAsync(counted.error);
      sums = tallyFlow(sums, entries);
      figures = tallyFigures(figures, entries);
      chain.add(entries);
      onLines(sums.lines);
      const movements = entries.flatMap((entry) => (entry.kind === "unreadable" ? [] : movementOf(entry)));
      hasMovements ||= movements.length > 0;
      hasFees ||= movements.some(({ fee }) => fee !== 0);
      return ports.billSettlements.stage(runId, movements, ports.clock.now());
    };
    const limits = { deadline: ports.policy.billDeadline };
    const totals = await callWallet(ports, aboutAccount(account), "readFundFlow", (wallet) =>
      wallet.readFundFlow(account, bill.day, take, limits),
    );
    if (totals.isErr()) return totals;
    if (!isSameFlow(sums, totals.value)) return err(NOT_WHOLE);
    const skipped = unreadable.all(sums.lines);
    if (skipped.isErr()) return skipped;
    const balances = chain.findings();
    const { opening, closing } = balances;
    return ok({
      figures: {
        ...figures,
        ...(opening === undefined ? {} : { openingBalance: opening }),
        ...(closing === undefined ? {} : { closingBalance: closing }),
      },
      balances,
      hasMovements,
      hasFees,
      unreadable: skipped.value,
    });
  });
}

const NOT_WHOLE: WalletFailure = {
  name: "wallet.unknown",
  cause: "unverified",
  detail: "the movements of the fund-flow bill do not add up to its totals",
};

function movementOf({ kind, amount, settlementNo, merchantNo }: FlowLine): readonly SettlementEntry[] {
  if (kind === "other" || settlementNo === undefined) return [];
  const movement = kind === "fee" ? { received: 0, fee: -amount } : { received: amount, fee: 0 };
  const numbers = merchantNo === undefined ? {} : numbersOf(merchantNo);
  return [{ settlementNo, side: "MOVED", open: false, ...movement, ...numbers }];
}
