import { ok, okAsync, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { eventWith } from "../orders/event-details.js";
import { type Order, keyOf } from "../orders/order.js";
import { isRefundUnknownToWallet } from "../orders/is-refund-unknown-to-wallet.js";
import type { TimelineEntry } from "../orders/timeline.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { isSameMerchant } from "../wallets/is-same-merchant.js";
import type { WalletRefund } from "../wallets/wallet.js";
import { markAbnormal } from "./mark-abnormal.js";
import { emitRefundMoved } from "./emit-refund-moved.js";
import { refundedInFullEntry } from "./refunded-in-full.js";
import { adoptStatedRefund, isOfPaymentOnRecord } from "./store-adopted-refund.js";
import { isOpenRefund, outRefundNo, type Refund, refundWithNumber } from "./refund.js";
import { yuanText } from "../shared/yuan.js";
import { nextRefundTryAt } from "./refund-schedule.js";
import { emitAlarm, recordAlarm } from "../orders/order-alarm.js";

/** Ports of {@link applyWalletRefund}. */
export type ApplyRefundPorts = Pick<Ports, "orders" | "refunds" | "clock" | "observer" | "policy">;

/** The effect of a wallet's statement about a refund. */
export interface AppliedWalletRefund {
  /** The stored refund with the stated number, after the statement. Absent if there is none. */
  readonly refund?: Refund;
  /**
   * Whether the statement matches the stored refund.
   *
   * If it does not match, an alarm was raised.
   */
  readonly fits: boolean;
}

/**
 * Applies the wallet's statement about a refund. Safe to repeat: a confirmation counts once.
 *
 * If the order's whole amount is refunded (see `isRefundedInFull`), `RefundStore.confirm` also
 * moves the order to REFUND.
 *
 * A statement about an unknown refund, or with another merchant, order or amount, raises an alarm
 * and changes nothing. The exception is the answer to a query with another amount: see
 * `followOther`.
 *
 * @param seen - the refund as it was before the wallet was queried. Absent for a notification,
 *   which may be old. Of notifications about ABNORMAL, only the first moves the refund. A later one
 *   only makes the reconciler query the wallet now.
 */
export function applyWalletRefund(
  ports: ApplyRefundPorts,
  order: Order,
  account: WalletAccount,
  statement: WalletRefund,
  seen?: Refund,
): ResultAsync<AppliedWalletRefund, StorageFailure> {
  return attempt(async () => {
    // The first round needs no read if the wallet confirms `seen`. The store confirms a refund only
    // if its status is still the same. If the status differs, the next round reads the refund.
    let known = seen !== undefined && isConfirmationOf(order, seen, statement) ? [seen] : undefined;
    for (;;) {
      const refunds = known === undefined ? await ports.refunds.list(keyOf(order)) : ok(known);
      if (refunds.isErr()) return refunds;
      const refund = refundWithNumber(order, refunds.value, statement.refundNo);
      const applied = await applyToRefund({ ports, order, account, statement, seen }, refund);
      if (applied.isErr()) return applied;
      if (applied.value !== "changed") return ok(applied.value);
      known = undefined;
    }
  });
}

/** The arguments of {@link applyWalletRefund}. */
interface Application {
  readonly ports: ApplyRefundPorts;
  readonly order: Order;
  readonly account: WalletAccount;
  readonly statement: WalletRefund;
  readonly seen: Refund | undefined;
}

/** Returns whether the statement confirms an open refund with its whole amount. */
function isConfirmationOf(order: Order, refund: Refund, { state, refundNo, amount }: WalletRefund): boolean {
  const isThis = outRefundNo(order, refund) === refundNo && refund.amount === amount;
  return state === "CONFIRMED" && isOpenRefund(refund) && isThis;
}

/** Applies the statement, or returns `changed` if the stored status is not that of `refund`. */
function applyToRefund(
  { ports, order, account, statement, seen }: Application,
  refund: Refund | undefined,
): ResultAsync<AppliedWalletRefund | "changed", StorageFailure> {
  return attempt(async () => {
    const { evidence } = statement;
    if (refund === undefined) {
      const unknown = eventWith("UNKNOWN_REFUND", { number: statement.refundNo });
      const recorded = await recordAlarm(ports, order, { ...unknown, evidence });
      if (recorded.isErr()) return recorded;
      return ok({ fits: false });
    }
    const isOurs = isSameMerchant(account, statement) && statement.outTradeNo === order.id;
    if (!isOurs || statement.amount !== refund.amount) {
      const alarm = await recordAlarm(ports, order, {
        ...eventWith("MISMATCH", { about: "refund", number: statement.refundNo }),
        evidence,
        refundNo: refund.refundNo,
      });
      if (alarm.isErr()) return alarm;
      if (!isOurs || seen === undefined) return ok({ refund, fits: false });
      const result = await followOther(ports, order, refund, statement);
      return result.map((after) => ({ refund: after, fits: false }));
    }
    const outcome = await appliedTo(ports, order, refund, statement, seen);
    if (outcome.isErr()) return outcome;
    return ok(outcome.value === "changed" ? outcome.value : { refund: outcome.value, fits: true });
  });
}

/**
 * Handles a wallet that has another refund, with another amount, under the number of `refund`.
 *
 * Example: a restored database has lost the other refund, and an operator uses the same number for
 * `refund`. The wallet never makes `refund`. Once the wallet's refund has ended, `refund` becomes
 * FAILED, and a CONFIRMED refund of the wallet is adopted. If the process dies in between, the
 * comparison with the bill adopts the wallet's refund.
 */
function followOther(
  ports: ApplyRefundPorts,
  order: Order,
  refund: Refund,
  statement: WalletRefund,
): ResultAsync<Refund, StorageFailure> {
  return attempt(async () => {
    const { amount, state } = statement;
    const isOver = state === "CONFIRMED" || state === "FAILED";
    const isOfOrder = amount > 0 && amount <= order.amount && isOfPaymentOnRecord(order, statement);
    if (refund.status === "CONFIRMED" || !isOver || !isOfOrder) return ok(refund);
    const refusal = `the wallet has this number with ${yuanText(amount)}`;
    const end = isOpenRefund(refund)
      ? await failRefund(ports, order, refund, { refusal })
      : ok<Refund, StorageFailure>(refund);
    if (end.isErr() || state === "FAILED") return end;
    const adoption = await adoptStatedRefund(
      ports,
      order,
      statement,
      { source: "query" },
      { isNumberTaken: true },
    );
    return adoption.andThen(() => end);
  });
}

function appliedTo(
  ports: ApplyRefundPorts,
  order: Order,
  refund: Refund,
  statement: WalletRefund,
  seen: Refund | undefined,
): ResultAsync<Refund | "changed", StorageFailure> {
  switch (statement.state) {
    case "CONFIRMED":
      return confirmRefund(ports, order, refund, statement);
    case "FAILED":
      return failRefund(ports, order, refund);
    case "ABNORMAL":
      return markAbnormal(ports, order, refund, statement, seen);
    case "PROCESSING":
      // If the wallet requests the same call again, it is not processing the refund.
      return statement.sendAgain === true ? okAsync(refund) : makeProcessing(ports, order, refund, seen);
  }
}

/**
 * Moves a refund to CONFIRMED, or returns `changed` if the stored status is not that of `refund`.
 */
function confirmRefund(
  ports: Pick<Ports, "orders" | "refunds" | "clock" | "observer">,
  order: Order,
  refund: Refund,
  statement: WalletRefund,
): ResultAsync<Refund | "changed", StorageFailure> {
  return attempt(async () => {
    const at = ports.clock.now();
    const { refundNo } = refund;
    const proof = { at, actor: "wallet", evidence: statement.evidence, refundNo } as const;
    const { walletRefundNo, toMerchant = false } = statement;
    // If the wallet confirms a FAILED or WITHDRAWN refund, its amount counts, and an alarm is
    // raised.
    const afterFailure = refund.status === "FAILED";
    const afterWithdrawal = refund.status === "WITHDRAWN";
    const late = afterFailure || afterWithdrawal;
    const entry: TimelineEntry = {
      ...proof,
      ...eventWith("REFUND_CONFIRMED", {
        amount: refund.amount,
        ...(afterFailure && { afterFailure }),
        ...(afterWithdrawal && { afterWithdrawal }),
        ...(toMerchant && { toMerchant }),
      }),
      alarm: late || toMerchant,
    };
    const number = walletRefundNo === undefined ? {} : { walletRefundNo };
    const refundedEntry = refundedInFullEntry(proof);
    const confirmation = { at, from: refund.status, ...number, entry, refundedEntry };
    const result = await ports.refunds.confirm(keyOf(order), refund.refundNo, confirmation);
    if (result.isErr()) return result;
    if (result.value === undefined) return ok(refund);
    const { moved, refund: current } = result.value;
    // The entry depends on the status, so another status needs another entry.
    if (!moved && current.status !== refund.status) return ok("changed" as const);
    if (moved) {
      emitRefundMoved(ports, result.value, "CONFIRMED");
      if (entry.alarm) emitAlarm(ports, order, entry);
    }
    if (current.status === "SETTLED" && !toMerchant) {
      const recorded = await recordAlarm(ports, order, {
        ...eventWith("REFUND_PAID_TWICE", {}),
        evidence: statement.evidence,
        refundNo,
      });
      if (recorded.isErr()) return recorded;
    }
    return ok(current);
  });
}

/**
 * Moves a refund to FAILED and raises an alarm.
 *
 * A CONFIRMED refund stays CONFIRMED, with a `MISMATCH` alarm. With `unlessAccepted`, a refund that
 * the wallet has accepted does not change. `refusal` is the reason for the timeline, for example
 * the text of the wallet's refusal.
 */
export function failRefund(
  ports: Pick<Ports, "orders" | "refunds" | "clock" | "observer">,
  order: Order,
  refund: Refund,
  { refusal, ...options }: { readonly refusal?: string; readonly unlessAccepted?: boolean } = {},
): ResultAsync<Refund, StorageFailure> {
  return attempt(async () => {
    const at = ports.clock.now();
    const entry: TimelineEntry = {
      ...eventWith("REFUND_FAILED", refusal === undefined ? {} : { refusal }),
      at,
      actor: "wallet",
      evidence: refund.refundNo,
      alarm: true,
      refundNo: refund.refundNo,
    };
    const result = await ports.refunds.reject(keyOf(order), refund.refundNo, at, entry, options);
    if (result.isErr()) return result;
    if (result.value?.moved === true) {
      emitRefundMoved(ports, result.value, "FAILED");
      emitAlarm(ports, order, entry);
    }
    if (result.value?.refund.status === "CONFIRMED") {
      const recorded = await recordAlarm(ports, order, {
        ...eventWith("MISMATCH", { about: "failed-after-confirmed" }),
        evidence: `failed ${refund.refundNo}`,
        refundNo: refund.refundNo,
      });
      if (recorded.isErr()) return recorded;
    }
    return ok(result.value?.refund ?? refund);
  });
}

/**
 * Moves a WAITING_FOR_FUNDS or ABNORMAL refund to SENT, because the wallet processes it again.
 *
 * A WITHDRAWN refund, or a SETTLED one without a number of the wallet, does not move. It gets a
 * `MISMATCH` alarm, because the wallet is moving its money.
 */
function makeProcessing(
  ports: ApplyRefundPorts,
  order: Order,
  refund: Refund,
  seen: Refund | undefined,
): ResultAsync<Refund, StorageFailure> {
  return attempt(async () => {
    const { refundNo, status } = refund;
    if (status !== "FAILED" && isRefundUnknownToWallet(refund)) {
      const recorded = await recordAlarm(ports, order, {
        ...eventWith("MISMATCH", { about: "processing-after-end", status }),
        evidence: `processing ${refundNo}`,
        refundNo,
      });
      return recorded.map(() => refund);
    }
    if (seen === undefined) {
      // A notification may be old, so the reconciler queries the wallet now.
      const scheduled = await ports.refunds.schedule(keyOf(order), refundNo, ports.clock.now());
      if (scheduled.isErr()) return scheduled;
      return ok(refund);
    }
    if (!isOpenRefund(seen) || seen.status === "SENT" || seen.status === "REQUESTED") return ok(refund);
    const at = ports.clock.now();
    const result = await ports.refunds.progress(keyOf(order), refundNo, {
      seen,
      to: "SENT",
      nextTryAt: nextRefundTryAt({ gmtModified: at }, at, ports.policy),
      entry: {
        ...eventWith("REFUND_PROCESSING", { was: seen.status }),
        at,
        actor: "wallet",
        alarm: false,
        refundNo,
      },
    });
    if (result.isErr()) return result;
    return ok(result.value?.refund ?? refund);
  });
}
