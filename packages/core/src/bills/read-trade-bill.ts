import { err, errAsync, ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { isId } from "../shared/random.js";
import { attempt } from "../shared/attempt.js";
import { aboutAccount, callWallet } from "../wallets/call-wallet.js";
import type { WalletFailure } from "../wallets/wallet.js";
import type { SettlementEntry } from "./bill-settlement-store.js";
import { keepLines } from "./keep-lines.js";
import { EMPTY_BILL, isSameTally, tallyLines } from "./bill-tally.js";
import type { BillRun } from "./compare-bill.js";
import { unreadableLines } from "./unreadable-lines.js";
import type {
  BillEntry,
  BillLine,
  BillTotals,
  LineSettlement,
  StatedLine,
  UnreadableLine,
} from "../wallets/wallet-bill.js";

/** The ports that reading a bill uses. */
export type ReadBillPorts = Pick<
  Ports,
  "wallets" | "billLines" | "billSettlements" | "keptBills" | "orders" | "clock" | "observer" | "policy"
>;

/** A complete trade bill whose lines are staged. */
export interface ReadTradeBill {
  readonly totals: BillTotals;
  /** The totals of the lines whose numbers are not Tillkit order numbers. */
  readonly foreign: BillTotals;
  /** Every unreadable line. */
  readonly unreadable: readonly UnreadableLine[];
  /**
   * Whether the bill states a settlement number for each readable line.
   *
   * Its total of fees can be compared only in that case.
   */
  readonly isSettled: boolean;
}

/**
 * Reads the trade bill of a run, and stages its lines and settlements.
 *
 * Also adds the lines to the lines that the run keeps for the accounting reports.
 *
 * Fails if the lines do not add up to the bill's totals, or if too many lines are unreadable.
 */
export function readTradeBill(
  ports: ReadBillPorts,
  { runId, bill, scope }: Pick<BillRun, "runId" | "bill" | "scope">,
  account: WalletAccount,
  onLines: (count: number) => void,
): ResultAsync<ReadTradeBill, WalletFailure | StorageFailure> {
  return attempt(async () => {
    let [sums, foreign] = [EMPTY_BILL, EMPTY_BILL];
    let isSettled = true;
    const unreadable = unreadableLines(ports.policy);
    const take = (entries: readonly BillEntry[]): ResultAsync<void, WalletFailure | StorageFailure> => {
      const counted = unreadable.add(entries);
      if (counted.isErr()) return errAsync(counted.error);
      const [ours, others] = byOwner(entries);
      const before = sums.payments + sums.refunds;
      sums = tallyLines(sums, entries);
      foreign = tallyLines(foreign, others);
      isSettled &&= [...ours, ...others].every(({ settlement }) => isNumbered(settlement));
      onLines(sums.payments + sums.refunds);
      const now = ports.clock.now();
      return ports.billLines
        .stage(runId, ours.map(bareLine), now)
        .andThen(() => ports.billSettlements.stage(runId, [...ours, ...others].flatMap(settlementOf), now))
        .andThen(() => keepLines(ports, { runId, scope }, entries, before));
    };
    const limits = { deadline: ports.policy.billDeadline };
    const totals = await callWallet(ports, aboutAccount(account), "readBill", (wallet) =>
      wallet.readBill(account, bill.day, take, limits),
    );
    if (totals.isErr()) return totals;
    if (!isSameTally(sums, totals.value)) return err(NOT_WHOLE);
    const faulty = unreadable.all(sums.payments + sums.refunds);
    if (faulty.isErr()) return faulty;
    return ok({ totals: totals.value, foreign, unreadable: faulty.value, isSettled });
  });
}

const NOT_WHOLE: WalletFailure = {
  name: "wallet.unknown",
  cause: "unverified",
  detail: "the lines of the bill do not add up to its totals",
};

/** Splits the readable lines into those with a Tillkit order number and the others. */
function byOwner(entries: readonly BillEntry[]): readonly [StatedLine[], StatedLine[]] {
  const [ours, others]: [StatedLine[], StatedLine[]] = [[], []];
  for (const entry of entries) {
    if (entry.kind === "unreadable") continue;
    (isId(entry.outTradeNo) ? ours : others).push(entry);
  }
  return [ours, others];
}

function isNumbered(settlement: LineSettlement | undefined): settlement is LineSettlement {
  return settlement !== undefined && settlement.no !== "";
}

function bareLine({ settlement: _, ...line }: StatedLine): BillLine {
  return line;
}

function settlementOf({ settlement, state, outTradeNo, refundNo }: StatedLine): readonly SettlementEntry[] {
  if (!isNumbered(settlement)) return [];
  const { no: settlementNo, received, fee } = settlement;
  const numbers = {
    ...(outTradeNo === "" ? {} : { outTradeNo }),
    ...(refundNo === undefined ? {} : { refundNo }),
  };
  return [{ settlementNo, side: "STATED", received, fee, open: state === "OPEN", ...numbers }];
}
