import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { fail, type FailureOf, type StorageFailureName } from "../errors/failure.js";
import { eventWith } from "../orders/event-details.js";
import { storedBizNo } from "../orders/biz-no.js";
import { keyOf, type Order } from "../orders/order.js";
import { issue, nonBlankText, perPolicy, wellFormedText } from "../shared/input.js";
import { attempt } from "../shared/attempt.js";
import { findOrderAccount } from "../pay-tools/find-order-account.js";
import { aboutOrder, callWallet, isRateLimited, walletFailure } from "../wallets/call-wallet.js";
import type { RefundPayout } from "../wallets/wallet.js";
import { findRefund } from "./find-refund.js";
import { isOpenRefund, type OpenRefund, type Refund } from "./refund.js";
import {
  applyStatement,
  queryWalletRefund,
  type RefundCall,
  type RefundPorts,
  walletRefundRequest,
} from "./refund-call.js";
import { refundNumber } from "./refund-number.js";
import { nextRefundTryAt, scheduleRefund } from "./refund-schedule.js";

/**
 * Operator's request to pay out an ABNORMAL refund.
 *
 * `payTo` is `merchant` (the bank account to which the wallet settles the merchant's money) or
 * `customer` (a debit card of the customer). `customer` needs the card's bank (such as
 * `CMB_DEBIT`), number and holder.
 */
export const applyAbnormalRefundInput = perPolicy(() => {
  const which = {
    bizNo: storedBizNo(),
    refundNo: refundNumber(),
    reason: nonBlankText(80),
    operator: nonBlankText(64),
  };
  const customer = {
    payTo: z.literal("customer"),
    bankType: wellFormedText().refine((text) => /^[A-Z0-9_]{1,16}$/.test(text), issue("bank-code")),
    bankAccount: wellFormedText().refine((text) => /^\d{8,32}$/.test(text), issue("bank-account")),
    realName: nonBlankText(64),
  };
  return z
    .discriminatedUnion(
      "payTo",
      [z.object({ ...which, payTo: z.literal("merchant") }), z.object({ ...which, ...customer })],
      issue("shape"),
    )
    .brand<"ApplyAbnormalRefundInput">();
});
/**
 * A valid payout request: the result of `parseInput(applyAbnormalRefundInput(policy), …)`.
 *
 * It may contain a card number, so do not log it.
 */
export type ApplyAbnormalRefundInput = z.output<ReturnType<typeof applyAbnormalRefundInput>>;

/** Reasons why an abnormal refund was not paid out, or why the outcome is unknown. */
export type ApplyAbnormalRefundFailure =
  | ReturnType<typeof walletFailure>
  | FailureOf<
      | "order.not-found"
      | "refund.not-found"
      | "refund.status-conflict"
      | "refund.payout-rejected"
      | "refund.outcome-unknown"
      | "pay-tool.not-configured"
      | StorageFailureName
    >;

/**
 * Makes the wallet pay out an ABNORMAL refund to a bank account or card.
 *
 * Queries the wallet first. If the refund is still abnormal at the wallet, Tillkit moves it to SENT
 * in one atomic step, before the payout is requested. So at most one of several concurrent payouts
 * and settlements takes effect. The card number and the name are sent to the wallet and never
 * stored, logged or traced.
 *
 * After `refund.outcome-unknown` the reconciler queries the wallet. Do not pay the customer by
 * other means in the meantime.
 *
 * @example
 * ```ts
 * import { applyAbnormalRefund, applyAbnormalRefundInput, parseInput } from "@tillkit/core";
 *
 * const paidOut = await parseInput(applyAbnormalRefundInput(ports.policy), {
 *   bizNo: "order-1001",
 *   refundNo: "return-1",
 *   reason: "card closed",
 *   operator: "alex",
 *   payTo: "merchant",
 * }).asyncAndThen((input) => applyAbnormalRefund(ports, appId, input));
 * ```
 * @returns the refund: SENT until the wallet reports the result, or CONFIRMED. Fails with
 *   `refund.payout-rejected` if the wallet refused the payout: the refund is ABNORMAL again, and
 *   the timeline has the wallet's reason.
 * @see {@link
 *   https://github.com/tillkit/tillkit/blob/main/docs/decisions/abnormal-and-settled-refunds.md |
 *   An abnormal refund waits for the merchant}
 */
export function applyAbnormalRefund(
  ports: RefundPorts,
  appId: string,
  input: ApplyAbnormalRefundInput,
  { change, seenAt }: PayoutContext = {},
): ResultAsync<Refund, ApplyAbnormalRefundFailure> {
  return attempt(async () => {
    const record = await findRefund(ports, appId, input);
    if (record.isErr()) return record;
    const { order, refund } = record.value;
    if (refund.status !== "ABNORMAL") return fail("refund.status-conflict", { status: refund.status });
    const account = await findOrderAccount(ports, order);
    if (account.isErr()) return account;
    const { refundNo } = refund;
    const one: RefundCall = {
      ports,
      order,
      account: account.value,
      refundNo,
      request: walletRefundRequest(order, refund),
    };
    const statement = await queryWalletRefund(one).mapErr((failure) =>
      walletFailure(order.payChannel, failure),
    );
    if (statement.isErr()) return statement;
    if (statement.value === undefined) return fail("refund.outcome-unknown");
    const verdict = await applyStatement(one, refund, statement.value);
    if (verdict.isErr()) return verdict;
    const { refund: current, definite } = verdict.value;
    const { walletRefundNo } = statement.value;
    if (!definite || walletRefundNo === undefined) return fail("refund.outcome-unknown");
    const isAsSeen = seenAt === undefined || current.gmtModified === seenAt;
    const isAbnormal = statement.value.state === "ABNORMAL" && current.status === "ABNORMAL";
    if (!isAsSeen || !isAbnormal || !isOpenRefund(current))
      return fail("refund.status-conflict", { status: current.status });
    const outcome = await claim(ports, order, current, { ...input, change });
    if (outcome.isErr()) return outcome;
    if (outcome.value === undefined) return fail("refund.not-found");
    if (!outcome.value.moved) return fail("refund.status-conflict", { status: outcome.value.refund.status });
    return payOut(one, outcome.value.refund, walletRefundNo, payoutOf(input));
  });
}

/** The operator's change that pays a refund out, and the version of the refund to pay out. */
export interface PayoutContext {
  /** The id of the operator's change. A repetition of the change finds its payout by this id. */
  readonly change?: string | undefined;
  /**
   * The refund's `gmtModified` when the operators saw it. If it has changed, nothing is paid out.
   */
  readonly seenAt?: number | undefined;
}

/** The members of a payout that the timeline stores. */
type ClaimedPayout = Pick<ApplyAbnormalRefundInput, "payTo" | "operator" | "reason"> & {
  readonly change: string | undefined;
};

/** Moves the refund from ABNORMAL to SENT, before the wallet is called. */
function claim(
  ports: RefundPorts,
  order: Order,
  refund: OpenRefund,
  { payTo: to, operator, reason, change }: ClaimedPayout,
) {
  const at = ports.clock.now();
  const { refundNo, amount } = refund;
  return ports.refunds.progress(keyOf(order), refundNo, {
    seen: refund,
    to: "SENT",
    nextTryAt: nextRefundTryAt({ gmtModified: at }, at, ports.policy),
    sendingUntil: at + ports.policy.workLease + ports.policy.walletDeadline,
    entry: {
      ...eventWith("REFUND_PAYOUT", { amount, to, ...(change === undefined ? {} : { change }) }),
      at,
      actor: `operator:${operator}`,
      reason,
      alarm: false,
      refundNo,
    },
  });
}

function payOut(
  one: RefundCall,
  refund: Refund,
  walletRefundNo: string,
  payout: RefundPayout,
): ResultAsync<Refund, FailureOf<"refund.payout-rejected" | "refund.outcome-unknown" | StorageFailureName>> {
  return attempt(async () => {
    const { ports, order, account, request } = one;
    const limits = { deadline: ports.policy.walletDeadline };
    const answer = await callWallet(
      ports,
      aboutOrder(order, refund.refundNo),
      "applyAbnormalRefund",
      (wallet) => wallet.applyAbnormalRefund(account, { ...request, walletRefundNo }, payout, limits),
    );
    if (answer.isOk()) {
      const result = await applyStatement(one, refund, answer.value);
      if (result.isErr()) return result;
      return result.value.definite ? ok(result.value.refund) : fail("refund.outcome-unknown");
    }
    if (answer.error.name === "wallet.unknown") {
      const scheduled = await scheduleRefund(ports, order, refund, {
        rateLimited: isRateLimited(answer.error),
      });
      if (scheduled.isErr()) return scheduled;
      return fail("refund.outcome-unknown");
    }
    const { refundNo, gmtModified } = refund;
    const recorded = await ports.orders.record(keyOf(order), {
      ...eventWith("REFUND_PAYOUT_REFUSED", { refusal: answer.error.detail }),
      at: ports.clock.now(),
      actor: "wallet",
      evidence: `${refundNo} ${String(gmtModified)}`,
      alarm: false,
      refundNo,
    });
    if (recorded.isErr()) return recorded;
    // The wallet may have refused the repetition of a call that succeeded, so a query decides.
    const statement = await queryWalletRefund(one);
    if (statement.isErr() || statement.value === undefined) return fail("refund.outcome-unknown");
    const outcome = await applyStatement(one, refund, statement.value);
    if (outcome.isErr()) return outcome;
    if (outcome.value.refund.status === "ABNORMAL") return fail("refund.payout-rejected");
    return outcome.value.definite ? ok(outcome.value.refund) : fail("refund.outcome-unknown");
  });
}

function payoutOf(input: ApplyAbnormalRefundInput): RefundPayout {
  if (input.payTo === "merchant") return { to: "merchant" };
  const { bankType, bankAccount, realName } = input;
  return { to: "customer", bankType, bankAccount, realName };
}
