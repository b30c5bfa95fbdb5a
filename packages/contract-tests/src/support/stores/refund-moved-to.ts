import { type Order, orThrow, type Refund, type Stores } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import { isOpenRefund, type RefundProgress } from "@tillkit/core/ports";
import type { ResultAsync } from "neverthrow";
import { aConfirmation, anEntry, aSettlement, aWithdrawal, FIXTURE_TIME, MINUTE } from "../fixtures.js";

/** The event of a move, as core appends it: a wallet that processes a refund needs no person. */
const MOVES = {
  REQUESTED: { type: "REFUND_PROCESSING", alarm: false },
  SENT: { type: "REFUND_PROCESSING", alarm: false },
  WAITING_FOR_FUNDS: { type: "REFUND_WAITING_FOR_FUNDS", alarm: true },
  ABNORMAL: { type: "REFUND_ABNORMAL", alarm: true },
} as const;

/** Returns the move of `refund` to another open status, by default ABNORMAL. */
export function aProgress(refund: Refund, changes: Partial<RefundProgress> = {}): RefundProgress {
  if (!isOpenRefund(refund)) throw new Error("Only an open refund progresses.");
  const { to = "ABNORMAL" } = changes;
  const entry = anEntry({ ...MOVES[to], at: FIXTURE_TIME + 3_000, actor: "wallet", reason: to });
  return { seen: refund, to, nextTryAt: FIXTURE_TIME + 2 * MINUTE, entry, ...changes };
}

type Moved = ResultAsync<{ readonly refund: Refund } | undefined, StorageFailure>;

/** Moves a REQUESTED refund to `status` and returns the stored refund. */
export async function refundMovedTo(
  { refunds }: Pick<Stores, "refunds">,
  order: Order,
  refund: Refund,
  status: Refund["status"],
): Promise<Refund> {
  if (status === "REQUESTED") return refund;
  const { refundNo } = refund;
  const ends: Readonly<Record<Exclude<Refund["status"], "REQUESTED">, () => Moved>> = {
    SENT: () => refunds.markSent(order, refundNo, FIXTURE_TIME, anEntry({ type: "REFUND_SENT" })),
    CONFIRMED: () => refunds.confirm(order, refundNo, aConfirmation()),
    FAILED: () => refunds.reject(order, refundNo, FIXTURE_TIME, anEntry({ type: "REFUND_FAILED" })),
    WAITING_FOR_FUNDS: () =>
      refunds.progress(order, refundNo, aProgress(refund, { to: "WAITING_FOR_FUNDS" })),
    ABNORMAL: () => refunds.progress(order, refundNo, aProgress(refund)),
    WITHDRAWN: () => refunds.withdraw(order, refundNo, aWithdrawal()),
    SETTLED: () =>
      refunds
        .progress(order, refundNo, aProgress(refund))
        .andThen(() => refunds.settle(order, refundNo, aSettlement())),
  };
  const moved = await orThrow(ends[status]());
  if (moved?.refund.status !== status) throw new Error(`The refund did not become ${status}.`);
  return moved.refund;
}
