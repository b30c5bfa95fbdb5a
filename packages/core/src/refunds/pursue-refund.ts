import { ok, type ResultAsync } from "neverthrow";
import type { FailureOf, StorageFailure } from "../errors/failure.js";
import type { Order } from "../orders/order.js";
import type { TimelineEntry } from "../orders/timeline.js";
import { keyOf, noticeAlarm, recordAlarm } from "../orders/transition-order.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { steps } from "../shared/steps.js";
import { accountOf, callWallet, isUnprovenAbsence } from "../wallets/call-wallet.js";
import type { WalletFailure, WalletRefund, WalletRefundRequest } from "../wallets/wallet.js";
import { outRefundNo, type Refund, type RefundStatus } from "./refund.js";
import { tell } from "../shared/observer.js";

/** The ports that pursuing a refund touches. */
export type RefundPorts = Pick<
  Ports,
  "orders" | "refunds" | "payTools" | "wallets" | "clock" | "observer" | "policy"
>;

/** A refund after a call to its wallet. */
export interface PursuedRefund {
  readonly refund: Refund;
  /** Whether the wallet is known to have the refund, or to have refused it. */
  readonly definite: boolean;
}

/**
 * Calls the wallet for a refund that has no definite outcome, always with the refund's own number, and writes down what it says. It returns the
 * refund as it is then: CONFIRMED, FAILED after a definite no, or SENT. A no is definite when both the refusal and "there is no such refund" are
 * proven, or once it has stood for `policy.unprovenNoPeriod`. Source: BEHAVIOUR, "Orders", refunds.
 */
export function pursueRefund(
  ports: RefundPorts,
  order: Order,
  refund: Refund,
): ResultAsync<PursuedRefund, FailureOf<"pay-tool.not-configured" | "storage.unavailable">> {
  return steps(async function* () {
    const key = keyOf(order);
    const account = yield* accountOf(ports, order);
    const request = walletRequest(order, refund);
    const limits = { deadline: ports.policy.walletDeadline };
    const now = ports.clock.now();
    const nextTryAt = now + ports.policy.walletDeadline + ports.policy.refundRetryInterval;
    const sent = yield* ports.refunds.markSent(key, refund.refundNo, nextTryAt, {
      type: "REFUND_SENT",
      at: now,
      actor: `operator:${refund.operator}`,
      reason: `refund ${refund.refundNo} of ${String(refund.amount)} cents goes to the wallet as ${request.refundNo}`,
      evidence: refund.refundNo,
      alarm: false,
    });
    // Somebody else may have ended it since it was read: a refund that is final is never sent again.
    if (sent === undefined) return ok({ refund, definite: true });
    if (sent.refund.status === "CONFIRMED" || sent.refund.status === "FAILED") {
      return ok({ refund: sent.refund, definite: true });
    }
    const askedAt = ports.clock.now();
    const answer = await callWallet(ports, order.payChannel, "refund", (wallet) =>
      wallet.refund(account, request, limits),
    );
    if (answer.isOk()) return ok(yield* verdictOf(ports, order, account, sent.refund, answer.value));
    if (answer.error.name === "wallet.rejected") {
      // A refusal may answer a repetition of a refund that did happen: only the wallet's own book settles it.
      const known = await callWallet(ports, order.payChannel, "queryRefund", (wallet) =>
        wallet.queryRefund(account, request, limits),
      );
      if (known.isOk() && known.value !== undefined) {
        return ok(yield* verdictOf(ports, order, account, sent.refund, known.value));
      }
      const proven = answer.error.proven && known.isOk();
      const absent = known.isOk() || isUnprovenAbsence(known.error);
      if (
        proven ||
        (absent && (yield* hasStood(ports, order, refund, { askedAt, detail: answer.error.detail })))
      ) {
        const failed = yield* failRefund(ports, order, refund, answer.error.detail);
        return ok({ refund: failed, definite: true });
      }
    }
    yield* ports.refunds.schedule(key, refund.refundNo, ports.clock.now() + ports.policy.refundRetryInterval);
    return ok({ refund: yield* heldRefund(ports, order, refund), definite: false });
  });
}

/**
 * Asks the wallet what became of a refund and lets its answer move it, whatever state it has here: FAILED too, if the wallet did it after all. It never asks
 * for the refund itself. Returns it as it is then; a wallet that knows none of this number moves nothing.
 */
export function refreshRefund(
  ports: RefundPorts,
  order: Order,
  refund: Refund,
): ResultAsync<Refund, WalletFailure | FailureOf<"pay-tool.not-configured" | "storage.unavailable">> {
  return steps(async function* () {
    const account = yield* accountOf(ports, order);
    const stated = yield* callWallet(ports, order.payChannel, "queryRefund", (wallet) =>
      wallet.queryRefund(account, walletRequest(order, refund), { deadline: ports.policy.walletDeadline }),
    );
    if (stated === undefined) return ok(refund);
    return ok((yield* verdictOf(ports, order, account, refund, stated)).refund);
  });
}

function verdictOf(
  ports: RefundPorts,
  order: Order,
  account: WalletAccount,
  refund: Refund,
  stated: WalletRefund,
) {
  return steps(async function* () {
    const { refund: held = refund, fits } = yield* applyWalletRefund(ports, order, account, stated);
    return ok({ refund: held, definite: fits });
  });
}

/**
 * Whether an unproven no to the refund was first heard long enough before it was asked for again at `askedAt`. The first one stays on the timeline, for the operator and for whoever tries
 * next.
 */
function hasStood(
  ports: Pick<Ports, "orders" | "clock" | "policy">,
  order: Order,
  { refundNo }: Refund,
  { askedAt, detail }: { readonly askedAt: number; readonly detail: string },
): ResultAsync<boolean, StorageFailure> {
  const entry: TimelineEntry = {
    type: "REFUND_REFUSED",
    at: ports.clock.now(),
    actor: "wallet",
    reason: `refund ${refundNo} is refused, and no signature proves it: ${detail}`,
    evidence: refundNo,
    alarm: false,
  };
  const key = keyOf(order);
  return ports.orders
    .record(key, entry)
    .andThen(() => ports.orders.timeline(key))
    .map((events) => {
      const mine = events.filter(({ type, evidence }) => type === entry.type && evidence === refundNo);
      return mine.some((event) => event.at + ports.policy.unprovenNoPeriod <= askedAt);
    });
}

/** What a wallet's statement about a refund did. */
export interface RefundVerdict {
  /** The refund of ours it speaks of, as it is then. */
  readonly refund?: Refund;
  /** Whether it fits that refund; what does not fit is an alarm and changes nothing. */
  readonly fits: boolean;
}

/**
 * Lets what the wallet says of a refund move it: confirmed money counts once, however often it is reported. A refund that was not made here, or of
 * another amount, changes nothing and raises an alarm.
 */
export function applyWalletRefund(
  ports: Pick<Ports, "orders" | "refunds" | "clock" | "observer">,
  order: Order,
  account: WalletAccount,
  stated: WalletRefund,
): ResultAsync<RefundVerdict, StorageFailure> {
  return steps(async function* () {
    const refunds = yield* ports.refunds.list(keyOf(order));
    const refund = refunds.find((made) => outRefundNo(order, made) === stated.refundNo);
    const { evidence } = stated;
    if (refund === undefined) {
      const reason = `the wallet reports refund ${stated.refundNo}, which was not made here`;
      yield* recordAlarm(ports, order, { type: "UNKNOWN_REFUND", reason, evidence });
      return ok({ fits: false });
    }
    const sameMerchant = stated.merchantId === account.accountId;
    if (!sameMerchant || stated.outTradeNo !== order.id || stated.amount !== refund.amount) {
      const reason = `the wallet's word on refund ${stated.refundNo} does not fit it: merchant, order or amount`;
      yield* recordAlarm(ports, order, { type: "MISMATCH", reason, evidence });
      return ok({ refund, fits: false });
    }
    return ok({ refund: yield* settledRefund(ports, order, refund, stated), fits: true });
  });
}

function settledRefund(
  ports: Pick<Ports, "orders" | "refunds" | "clock" | "observer">,
  order: Order,
  refund: Refund,
  stated: WalletRefund,
): ResultAsync<Refund, StorageFailure> {
  switch (stated.state) {
    case "CONFIRMED":
      return confirmRefund(ports, order, refund, stated);
    case "FAILED":
      return failRefund(ports, order, refund, "the wallet could not refund it");
    case "PROCESSING":
      return heldRefund(ports, order, refund);
  }
}

function confirmRefund(
  ports: Pick<Ports, "refunds" | "clock" | "observer">,
  order: Order,
  refund: Refund,
  stated: WalletRefund,
): ResultAsync<Refund, StorageFailure> {
  const at = ports.clock.now();
  const proof = { at, actor: "wallet", evidence: stated.evidence } as const;
  const { walletRefundNo } = stated;
  // The wallet had refused it and did it all the same: the money counts, and a person must look.
  const late = refund.status === "FAILED";
  const entry: TimelineEntry = {
    ...proof,
    type: "REFUND_CONFIRMED",
    reason: `refund ${refund.refundNo} of ${String(refund.amount)} cents is confirmed${late ? ", after it had failed" : ""}`,
    alarm: late,
  };
  const refundedEntry: TimelineEntry = {
    ...proof,
    type: "REFUNDED",
    reason: "the whole amount is refunded",
    from: "PAID",
    to: "REFUND",
    alarm: false,
  };
  const number = walletRefundNo === undefined ? {} : { walletRefundNo };
  return ports.refunds
    .confirm(keyOf(order), refund.refundNo, { at, ...number, entry, refundedEntry })
    .map((result) => {
      if (result?.moved !== true) return result?.refund ?? refund;
      noticeRefund(ports, order, result.refund, "CONFIRMED");
      if (late) noticeAlarm(ports, order, entry);
      if (result.order.paymentStatus === "REFUND") {
        const { appId, id: orderId } = order;
        tell(ports, { type: "order.moved", appId, orderId, from: "PAID", to: "REFUND" });
      }
      return result.refund;
    });
}

function failRefund(
  ports: Pick<Ports, "orders" | "refunds" | "clock" | "observer">,
  order: Order,
  refund: Refund,
  detail: string,
): ResultAsync<Refund, StorageFailure> {
  return steps(async function* () {
    const at = ports.clock.now();
    const entry: TimelineEntry = {
      type: "REFUND_FAILED",
      at,
      actor: "wallet",
      reason: `refund ${refund.refundNo} failed: ${detail}`,
      evidence: refund.refundNo,
      alarm: true,
    };
    const result = yield* ports.refunds.reject(keyOf(order), refund.refundNo, at, entry);
    if (result?.moved === true) {
      noticeRefund(ports, order, result.refund, "FAILED");
      noticeAlarm(ports, order, entry);
    }
    if (result?.refund.status === "CONFIRMED") {
      const reason = `the wallet says that refund ${refund.refundNo} failed, after it had confirmed it`;
      yield* recordAlarm(ports, order, { type: "MISMATCH", reason, evidence: `failed ${refund.refundNo}` });
    }
    return ok(result?.refund ?? refund);
  });
}

/** Tells the observer that a refund is where it is now. */
export function noticeRefund(
  ports: Pick<Ports, "observer">,
  { appId, id: orderId }: Order,
  { refundNo, amount }: Refund,
  to: Exclude<RefundStatus, "SENT">,
): void {
  tell(ports, { type: "refund.moved", appId, orderId, refundNo, to, amount });
}

function heldRefund(ports: Pick<Ports, "refunds">, order: Order, refund: Refund) {
  return ports.refunds
    .list(keyOf(order))
    .map((refunds) => refunds.find(({ refundNo }) => refundNo === refund.refundNo) ?? refund);
}

function walletRequest(order: Order, refund: Refund): WalletRefundRequest {
  return {
    outTradeNo: order.id,
    refundNo: outRefundNo(order, refund),
    amount: refund.amount,
    orderAmount: order.amount,
    reason: refund.reason,
    notifyUrl: order.notifyUrl,
  };
}
