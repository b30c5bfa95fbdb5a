import { err, ok, okAsync, type ResultAsync } from "neverthrow";
import type { FailureOf, StorageFailure, StorageFailureName } from "../errors/failure.js";
import { eventWith } from "../orders/event-details.js";
import { keyOf, type Order } from "../orders/order.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { findOrderAccount } from "../pay-tools/find-order-account.js";
import { aboutOrder, callWallet, isRateLimited, isUntrustedAbsence } from "../wallets/call-wallet.js";
import type { WalletFailure, WalletRefund } from "../wallets/wallet.js";
import { applyRefusal } from "./apply-refusal.js";
import { reloadRefund } from "./reload-refund.js";
import { isAcceptedRefund, isOpenRefund, type OpenRefund, type Refund } from "./refund.js";
import {
  applyStatement,
  type ProcessedRefund,
  queryWalletRefund,
  type RefundCall,
  type RefundPorts,
  type SendRefundPorts,
  walletRefundRequest,
} from "./refund-call.js";
import type { RefundSendClaim } from "./refund-store.js";
import { nextRefundTryAt, passedTries, scheduleRefund } from "./refund-schedule.js";
import { fitsBesideSettlement } from "./remaining.js";
import { recordAlarm } from "../orders/order-alarm.js";

/** A call that may send the refund. */
interface SendCall extends RefundCall {
  readonly ports: SendRefundPorts;
}

/** Facts about a refund that the caller knows before it continues the refund. */
export interface RefundCircumstances {
  /** The wallet has just stated that it has no refund with the number of a REQUESTED refund. */
  readonly isUnused?: boolean;
}

/**
 * Continues a refund at the wallet, always under its own number, and stores the result.
 *
 * - A REQUESTED refund is marked SENT. Then it is sent if `isUnused`, and queried otherwise.
 * - Any other open refund is queried first. It is sent again if the wallet signed that it has no
 *   record of the refund, or if the wallet requests the same call again.
 * - If the wallet reports without a signature that it has no record, the refund is sent again only
 *   if it has been in its status for `policy.unsignedRefusalDelay`.
 * - A refund is never sent while the outcome of its query is unknown, while it is ABNORMAL, or once
 *   its `walletRefundNo` is stored.
 * - Two claims to send a refund are at least `policy.refundSendPause` apart.
 * - After a refusal the wallet is queried, and the wallet's record of the refund decides. A refusal
 *   for lack of money makes the refund WAITING_FOR_FUNDS, never FAILED. A WAITING_FOR_FUNDS refund
 *   keeps its status after such a refusal, without a query.
 *
 * The next query follows `policy.refundSchedule`. A refund that stays REQUESTED or SENT for
 * `policy.refundOverdue` raises an alarm.
 *
 * @returns the refund after the call. `definite` is false while the outcome is unknown or a refusal
 *   has not taken effect.
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/refund-life-cycle.md |
 *   A refund keeps one number from the request to the end}
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/unsigned-refusals.md |
 *   An unsigned refusal takes effect only after a delay}
 */
export function processRefund(
  ports: SendRefundPorts,
  order: Order,
  refund: Refund,
  circumstances: RefundCircumstances = {},
): ResultAsync<ProcessedRefund, FailureOf<"pay-tool.not-configured" | StorageFailureName>> {
  return attempt(async () => {
    const outcome = await pursue(ports, order, refund, circumstances);
    const alarm = await alarmIfOverdue(ports, order, outcome.isOk() ? outcome.value.refund : refund);
    if (alarm.isErr()) return alarm;
    return outcome;
  });
}

function pursue(
  ports: SendRefundPorts,
  order: Order,
  refund: Refund,
  { isUnused = false }: RefundCircumstances,
): ResultAsync<ProcessedRefund, FailureOf<"pay-tool.not-configured" | StorageFailureName>> {
  return attempt(async () => {
    const account = await findOrderAccount(ports, order);
    if (account.isErr()) {
      const scheduled = await scheduleRefund(ports, order, refund);
      if (scheduled.isErr()) return scheduled;
      return err(account.error);
    }
    const { refundNo } = refund;
    const request = walletRefundRequest(order, refund);
    const one: SendCall = { ports, order, account: account.value, refundNo, request };
    if (refund.status !== "REQUESTED")
      return isOpenRefund(refund) ? ask(one, refund) : ok({ refund, definite: true });
    // If nothing was sent under the number, no query is needed, and `markSent` also claims the
    // send.
    const claim = isUnused ? newClaim(ports) : undefined;
    const outcome = await markSent(one, refund, claim);
    if (outcome.isErr()) return outcome;
    if (outcome.value === undefined || !isOpenRefund(outcome.value.refund))
      return ok({ refund: outcome.value?.refund ?? refund, definite: true });
    return outcome.value.moved && claim !== undefined
      ? sendClaimed(one, outcome.value.refund, claim.at)
      : ask(one, outcome.value.refund);
  });
}

/**
 * Queries the wallet about a refund that may have been sent, and resends it only if that is safe.
 */
function ask(one: SendCall, refund: OpenRefund): ResultAsync<ProcessedRefund, StorageFailure> {
  return attempt(async () => {
    const { ports, order } = one;
    const calledAt = ports.clock.now();
    const statement = await queryWalletRefund(one);
    if (statement.isOk() && statement.value !== undefined) {
      if (statement.value.sendAgain === true) return resend(one, refund);
      return applyStatement(one, refund, statement.value);
    }
    // If the wallet has accepted the refund, a missing record proves nothing.
    if (!isAcceptedRefund(refund)) {
      const conclusiveAt = refund.gmtModified + ports.policy.unsignedRefusalDelay;
      if (statement.isOk()) return resend(one, refund);
      if (isUntrustedAbsence(statement.error)) {
        if (conclusiveAt <= calledAt) return resend(one, refund);
        const scheduled = await scheduleRefund(ports, order, refund, { alsoAt: conclusiveAt });
        if (scheduled.isErr()) return scheduled;
        return ok({ refund, definite: false });
      }
    }
    const rateLimited = statement.isErr() && isRateLimited(statement.error);
    const schedule = await scheduleRefund(ports, order, refund, { rateLimited });
    if (schedule.isErr()) return schedule;
    return ok({ refund, definite: false });
  });
}

/**
 * Sends a refund, unless the order has a settlement and another refund may have used the amount.
 */
function resend(one: SendCall, refund: OpenRefund): ResultAsync<ProcessedRefund, StorageFailure> {
  return attempt(async () => {
    const { ports, order } = one;
    const refunds = await ports.refunds.list(keyOf(order));
    if (refunds.isErr()) return refunds;
    const record = { order, refunds: refunds.value };
    const beside = await fitsBesideSettlement(ports, record, refund, "send");
    if (beside.isErr()) return beside;
    if (beside.value.fits) return send(one, refund);
    // The refund waits until an operator closes the bill exception or withdraws the refund.
    const scheduled = await scheduleRefund(ports, order, refund);
    if (scheduled.isErr()) return scheduled;
    return reloadRefund(ports, order, refund).map((current) => ({
      refund: current,
      definite: current.status === "WAITING_FOR_FUNDS" || !isOpenRefund(current),
    }));
  });
}

/**
 * Claims the right to send a refund, and sends it under its number.
 *
 * Does not send the refund if it has ended, is ABNORMAL, or was accepted in the meantime. At most
 * one caller has the claim, and no call sends the refund again before the claim ends.
 */
function send(one: SendCall, before: OpenRefund): ResultAsync<ProcessedRefund, StorageFailure> {
  return attempt(async () => {
    const { ports, order } = one;
    const claim = newClaim(ports);
    const outcome = await ports.refunds.claimSend(keyOf(order), before.refundNo, claim);
    if (outcome.isErr()) return outcome;
    if (outcome.value === undefined) return ok({ refund: before, definite: true });
    const { kind, refund } = outcome.value;
    if (kind === "not-allowed" || !isOpenRefund(refund)) return ok({ refund, definite: true });
    if (kind === "claimed") {
      const { sendingUntil: alsoAt = claim.at } = refund;
      const scheduled = await scheduleRefund(ports, order, refund, { alsoAt });
      if (scheduled.isErr()) return scheduled;
      return ok({ refund, definite: refund.status === "WAITING_FOR_FUNDS" });
    }
    return sendClaimed(one, refund, claim.at);
  });
}

/**
 * Returns a claim that begins now. Covers the whole call, and at least `policy.refundSendPause`.
 */
function newClaim({ clock, policy }: Pick<Ports, "clock" | "policy">): RefundSendClaim {
  const at = clock.now();
  const { refundSendPause, walletDeadline, workLease } = policy;
  return { at, until: at + Math.max(refundSendPause, workLease + walletDeadline) };
}

/**
 * Sends a refund under its number. The caller must hold the claim.
 *
 * A process that stalls for longer than `policy.workLease` after the claim does not begin the call.
 */
function sendClaimed(
  one: SendCall,
  refund: OpenRefund,
  claimedAt: number,
): ResultAsync<ProcessedRefund, StorageFailure> {
  return attempt(async () => {
    const { ports, order, account, request } = one;
    const calledAt = ports.clock.now();
    if (calledAt > claimedAt + ports.policy.workLease) {
      const late = await scheduleRefund(ports, order, refund);
      if (late.isErr()) return late;
      return ok({ refund, definite: false });
    }
    const walletRequest =
      refund.status === "WAITING_FOR_FUNDS"
        ? { ...request, fundsRetry: passedTries(refund, calledAt, ports.policy) }
        : request;
    const answer = await callWallet(ports, aboutOrder(order, refund.refundNo), "refund", (wallet) =>
      wallet.refund(account, walletRequest, { deadline: ports.policy.walletDeadline }),
    );
    if (answer.isOk()) {
      // The wallet accepted this request, so an earlier "send again" no longer applies.
      const { sendAgain: _taken, ...statement } = answer.value;
      return applyStatement(one, refund, statement);
    }
    if (answer.error.name === "wallet.unknown") {
      const scheduled = await scheduleRefund(ports, order, refund, {
        rateLimited: isRateLimited(answer.error),
      });
      if (scheduled.isErr()) return scheduled;
      return reloadRefund(ports, order, refund).map((current) => ({ refund: current, definite: false }));
    }
    // The refund keeps waiting, and the next attempt begins with a query.
    if (answer.error.reason === "funds" && refund.status === "WAITING_FOR_FUNDS")
      return applyRefusal(ports, order, refund, { ...answer.error, absenceTrusted: false, calledAt });
    // The wallet may have refused the repetition of a refund that succeeded, so a query decides.
    const record = await queryWalletRefund(one);
    if (record.isOk() && record.value !== undefined) {
      // The wallet knows the number, but the merchant's balance is too small. The refund waits.
      const waits = answer.error.reason === "funds" && record.value.sendAgain === true;
      if (!waits) return applyStatement(one, refund, record.value);
    }
    if (record.isErr() && !isUntrustedAbsence(record.error)) {
      const schedule = await scheduleRefund(ports, order, refund, {
        rateLimited: isRateLimited(record.error),
      });
      if (schedule.isErr()) return schedule;
      return reloadRefund(ports, order, refund).map((current) => ({ refund: current, definite: false }));
    }
    const refusal = { ...answer.error, absenceTrusted: record.isOk(), calledAt };
    return applyRefusal(ports, order, refund, refusal);
  });
}

/**
 * Queries the wallet about a refund in any status and applies the answer. Never sends the refund.
 *
 * The answer also applies to a FAILED refund, because the wallet may have made the refund later. If
 * the wallet has no record of the number, nothing changes.
 *
 * @returns the refund after the answer.
 */
export function refreshRefund(
  ports: RefundPorts,
  order: Order,
  refund: Refund,
): ResultAsync<Refund, WalletFailure | FailureOf<"pay-tool.not-configured" | StorageFailureName>> {
  return queryAndApplyRefund(ports, order, refund).map(({ refund: current }) => current);
}

/**
 * Like {@link refreshRefund}, and also returns the wallet's statement.
 *
 * `stated` is `undefined` if the wallet has no record of the number.
 */
export function queryAndApplyRefund(
  ports: RefundPorts,
  order: Order,
  refund: Refund,
): ResultAsync<
  { readonly refund: Refund; readonly stated: WalletRefund | undefined },
  WalletFailure | FailureOf<"pay-tool.not-configured" | StorageFailureName>
> {
  return attempt(async () => {
    const account = await findOrderAccount(ports, order);
    if (account.isErr()) return account;
    const { refundNo } = refund;
    const request = walletRefundRequest(order, refund);
    const one: RefundCall = { ports, order, account: account.value, refundNo, request };
    const statement = await queryWalletRefund(one);
    if (statement.isErr()) return statement;
    if (statement.value === undefined) return ok({ refund, stated: undefined });
    const verdict = await applyStatement(one, refund, statement.value);
    if (verdict.isErr()) return verdict;
    return ok({ refund: verdict.value.refund, stated: statement.value });
  });
}

function markSent(
  { ports, order, request }: RefundCall,
  { refundNo, amount, operator }: Refund,
  claim: RefundSendClaim | undefined,
) {
  const at = ports.clock.now();
  const nextTryAt = nextRefundTryAt({ gmtModified: at }, at, ports.policy);
  const entry = {
    ...eventWith("REFUND_SENT", { amount, number: request.refundNo }),
    at,
    actor: `operator:${operator}`,
    evidence: refundNo,
    alarm: false,
    refundNo,
  };
  return ports.refunds.markSent(keyOf(order), refundNo, nextTryAt, entry, claim?.until);
}

const DAY = 86_400_000;

/**
 * Raises an alarm, once, if a refund stays REQUESTED or SENT for `policy.refundOverdue`.
 *
 * A refund that becomes WAITING_FOR_FUNDS or ABNORMAL has already raised another alarm.
 */
function alarmIfOverdue(
  ports: Pick<Ports, "orders" | "clock" | "observer" | "policy">,
  order: Order,
  { refundNo, amount, status, gmtModified }: Refund,
): ResultAsync<void, StorageFailure> {
  const age = ports.clock.now() - gmtModified;
  if ((status !== "REQUESTED" && status !== "SENT") || age < ports.policy.refundOverdue)
    return okAsync(undefined);
  const days = Math.floor(age / DAY);
  const evidence = `${refundNo} ${String(gmtModified)}`;
  return recordAlarm(ports, order, {
    ...eventWith("REFUND_OVERDUE", { amount, status, days }),
    actor: "reconciler",
    evidence,
    refundNo,
  });
}
