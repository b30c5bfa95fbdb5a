import type { Wallet, WalletAccount, WalletFailure } from "@tillkit/core";
import {
  type BillEntry,
  type BillTotals,
  type CallLimits,
  EMPTY_BILL,
  EMPTY_FLOW,
  type FlowEntry,
  type FlowTotals,
  tallyFlow,
  tallyLines,
  type WalletRefund,
} from "@tillkit/core/ports";
import { errAsync, okAsync, type ResultAsync } from "neverthrow";

/** The bills of one day. */
export interface ScriptedDay {
  readonly lines: readonly BillEntry[];
  /** Totals of the trade bill that differ from its lines. */
  readonly totals?: Partial<BillTotals>;
  /** The fund-flow bill, or why it cannot be read. */
  readonly flow?: readonly FlowEntry[] | WalletFailure;
  readonly flowTotals?: Partial<FlowTotals>;
}

/** A wallet whose bills a test defines. It supports only the calls of bill reconciliation. */
export interface ScriptedBills {
  readonly wallet: Wallet;
  /** The bills by day. */
  readonly days: Map<string, ScriptedDay>;
  /** The wallet's refunds by their number. */
  readonly refunds: Map<string, WalletRefund>;
}

function partly<T extends object>(methods: Partial<NoInfer<T>>): T;
function partly(methods: object): object {
  return methods;
}

const PORTION = 3;
const NO_PERMISSION: WalletFailure = {
  name: "wallet.rejected",
  reason: "configuration",
  trusted: true,
  detail: "NO_AUTH",
};

/** Creates a wallet without bills: every day is empty, and fund-flow bills cannot be read. */
export function scriptedBills(): ScriptedBills {
  const days = new Map<string, ScriptedDay>();
  const refunds = new Map<string, WalletRefund>();
  const streamLines = <L, E>(
    lines: readonly L[],
    take: (lines: readonly L[]) => ResultAsync<void, E>,
  ): ResultAsync<void, E> => {
    let taken: ResultAsync<void, E> = okAsync(undefined);
    for (let at = 0; at < lines.length; at += PORTION) {
      const portion = lines.slice(at, at + PORTION);
      taken = taken.andThen(() => take(portion));
    }
    return taken;
  };
  const wallet = partly<Wallet>({
    payChannel: "WALLET_A",
    query: () => okAsync(undefined),
    queryRefund: (_account, { refundNo }) => okAsync(refunds.get(refundNo)),
    readBill: <E>(
      _account: WalletAccount,
      day: string,
      take: (entries: readonly BillEntry[]) => ResultAsync<void, E>,
    ) => {
      const { lines = [], totals } = days.get(day) ?? {};
      return streamLines(lines, take).map(() => ({ ...tallyLines(EMPTY_BILL, lines), ...totals }));
    },
    readFundFlow: <E>(
      _account: WalletAccount,
      day: string,
      take: (entries: readonly FlowEntry[]) => ResultAsync<void, E>,
      _limits: CallLimits,
    ) => {
      const { flow = NO_PERMISSION, flowTotals } = days.get(day) ?? {};
      if ("name" in flow) return errAsync(flow);
      return streamLines(flow, take).map(() => ({ ...tallyFlow(EMPTY_FLOW, flow), ...flowTotals }));
    },
  });
  return { wallet, days, refunds };
}
