import { err, ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { fail, type FailureOf, type StorageFailure, type StorageFailureName } from "../errors/failure.js";
import { eventWith } from "../orders/event-details.js";
import { findConnectedOrder } from "../orders/find-connected-order.js";
import { keyOf, type Order } from "../orders/order.js";
import type { TimelineEntry } from "../orders/timeline.js";
import { nonBlankText, perPolicy } from "../shared/input.js";
import { attempt } from "../shared/attempt.js";
import { findOrderAccount } from "../pay-tools/find-order-account.js";
import { isUntrustedAbsence } from "../wallets/call-wallet.js";
import { requireConsistentOrder } from "./order-differences.js";
import { emitRefundMoved } from "./emit-refund-moved.js";
import { processRefund } from "./process-refund.js";
import { queryWalletRefund, type SendRefundPorts } from "./refund-call.js";
import { refundInputShape } from "./refund-input-shape.js";
import type { Refund } from "./refund.js";
import { fitsBesideSettlement, remainingOf } from "./remaining.js";
import { walletRefundRequest } from "./wallet-refund-request.js";

/**
 * Operator's request to refund an order, fully or partially.
 *
 * `amount` is in cents. If it is absent, everything is refunded that is neither refunded nor
 * reserved by an open refund. The caller chooses `refundNo`: 1 to 31 characters of `[0-9A-Za-z_-]`,
 * unique within the order.
 */
export const refundOrderInput = perPolicy(() =>
  z
    .object({
      ...refundInputShape(),
      reason: nonBlankText(80),
      operator: nonBlankText(64),
    })
    .brand<"RefundOrderInput">(),
);
/** A valid refund request: the result of `parseInput(refundOrderInput(policy), …)`. */
export type RefundOrderInput = z.output<ReturnType<typeof refundOrderInput>>;

/** Reasons why nothing was refunded, or why the outcome is unknown. */
export type RefundOrderFailure = FailureOf<
  | "order.not-found"
  | "order.damaged"
  | "order.not-paid"
  | "order.refunded"
  | "refund.exceeds-remaining"
  | "refund.in-progress"
  | "refund-no.conflict"
  | "refund.rejected"
  | "refund.withdrawn"
  | "refund.outcome-unknown"
  | "pay-tool.not-configured"
  | StorageFailureName
>;

/**
 * Refunds an order, fully or partially, once per `refundNo`.
 *
 * Safe to retry: a call with the same `refundNo` and the same amount (or none) moves no more money.
 * It continues the pending refund, or returns the ended one. Reason and operator stay those of the
 * first call. The refund is stored before the wallet is called. An order has at most one refund in
 * REQUESTED or SENT, and a new refund never exceeds what remains of the order's amount.
 *
 * The wallet is queried about a `refundNo` that is new to the record: a restored database may have
 * lost the refund. Then it is stored as the wallet has it, and nothing is sent. An imported order
 * is connected to the app's current pay tool first.
 *
 * After `refund.outcome-unknown` the reconciler continues the refund. Do not refund in another way
 * meanwhile.
 *
 * @example
 * ```ts
 * import { parseInput, refundOrder, refundOrderInput } from "@tillkit/core";
 *
 * const refunded = await parseInput(refundOrderInput(ports.policy), {
 *   bizNo: "order-1001",
 *   refundNo: "return-1",
 *   amount: 250,
 *   reason: "one item returned",
 *   operator: "alex",
 * }).asyncAndThen((input) => refundOrder(ports, appId, input));
 * ```
 * @returns the refund. Fails with `order.damaged` if the order contradicts its timeline, with
 *   `refund-no.conflict` if the number belongs to a refund of another amount, here or at the
 *   wallet, or of the previous service, and with `refund.rejected` if the refund is FAILED. The
 *   status is one of:
 * - CONFIRMED: the wallet refunded it.
 * - SENT: the wallet accepted it and will report the result.
 * - WAITING_FOR_FUNDS: the merchant's balance is too small. The refund continues after a top-up.
 * - ABNORMAL: the merchant has to act.
 * - SETTLED: the merchant paid the customer by other means.
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/refund-life-cycle.md |
 *   A refund keeps one number from the request to the end}
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/refund-numbers.md |
 *   The caller chooses the number of a refund}
 */
export function refundOrder(
  ports: SendRefundPorts,
  appId: string,
  input: RefundOrderInput,
): ResultAsync<Refund, RefundOrderFailure> {
  return makeRefund(ports, appId, input);
}

/** A refund to make. `amount` is in cents, and absent for everything that is left. */
export interface RefundDraft extends Pick<Refund, "bizNo" | "refundNo" | "reason" | "operator"> {
  readonly amount?: number | undefined;
}

/** Circumstances of a refund that an operator's limits apply to. */
export interface RefundGrounds {
  /**
   * The `seq` of the last event on the order's timeline when the limits were checked.
   *
   * If the order has changed since, the refund fails with `refund.in-progress`.
   */
  readonly seen?: number;
  /** The operator who approved the refund, for the timeline. */
  readonly approvedBy?: string | undefined;
}

/** Like {@link refundOrder}, for a draft from inside the core. */
export function makeRefund(
  ports: SendRefundPorts,
  appId: string,
  input: RefundDraft,
  { seen, approvedBy }: RefundGrounds = {},
): ResultAsync<Refund, RefundOrderFailure> {
  return attempt(async () => {
    const key = { appId, bizNo: input.bizNo };
    const { refundNo, reason, operator } = input;
    const found = await findConnectedOrder(ports, key, `operator:${operator}`);
    if (found.isErr()) return found;
    const order = found.value;
    const consistent = await requireConsistentOrder(ports, key);
    if (consistent.isErr()) return err(consistent.error);
    const now = ports.clock.now();
    const wanted = await wantedAmount(ports, order, input);
    if (wanted.isErr()) return wanted;
    const looked = await lookUpNumber(ports, order, input, wanted.value);
    if (looked.isErr()) return looked;
    const { amount, isUnused } = looked.value;
    // After the query, because another refund can have been settled meanwhile.
    const beside = await fitsBesideSettlement(ports, order, { refundNo, amount }, "store");
    if (beside.isErr()) return beside;
    if (!beside.value.fits) return fail("refund.exceeds-remaining", { remaining: beside.value.remaining });
    const draft: Refund = {
      ...key,
      refundNo,
      amount,
      reason,
      operator,
      status: "REQUESTED",
      nextTryAt: now + ports.policy.workLease,
      gmtCreate: now,
      gmtModified: now,
    };
    const entry: TimelineEntry = {
      ...eventWith("REFUND_REQUESTED", { amount, ...(approvedBy === undefined ? {} : { approvedBy }) }),
      at: now,
      actor: `operator:${operator}`,
      reason,
      evidence: refundNo,
      alarm: false,
      refundNo,
    };
    const requestedResult = await ports.refunds.request(draft, entry, seen);
    if (requestedResult.isErr()) return requestedResult;
    const requested = requestedResult.value;
    switch (requested.kind) {
      case "no-order":
        return fail("order.not-found");
      case "not-paid":
        return fail(requested.order.paymentStatus === "REFUND" ? "order.refunded" : "order.not-paid");
      case "changed":
      case "in-progress":
        return fail("refund.in-progress");
      case "exceeds-remaining":
        return fail("refund.exceeds-remaining", { remaining: requested.remaining });
      case "held":
        if (input.amount !== undefined && input.amount !== requested.refund.amount)
          return fail("refund-no.conflict", { amount: requested.refund.amount });
        break;
      case "requested":
        emitRefundMoved(ports, requested, "REQUESTED");
        break;
    }
    const pursued = await processRefund(ports, requested.order, requested.refund, { isUnused });
    if (pursued.isErr()) return pursued;
    const { refund, definite } = pursued.value;
    if (refund.status === "FAILED") return fail("refund.rejected");
    if (refund.status === "WITHDRAWN") return fail("refund.withdrawn");
    return definite ? ok(refund) : fail("refund.outcome-unknown");
  });
}

/**
 * Returns the cents to refund: those that are asked for, or everything that is left.
 *
 * At least 1, so that storage still checks the request if nothing is left.
 */
function wantedAmount(
  ports: Pick<SendRefundPorts, "orders" | "refunds" | "billExceptions">,
  order: Order,
  { refundNo, amount }: RefundDraft,
): ResultAsync<number, StorageFailure> {
  return attempt(async () => {
    if (amount !== undefined) return ok(amount);
    const refunds = await ports.refunds.list(keyOf(order));
    if (refunds.isErr()) return refunds;
    const left = Math.max(1, remainingOf(order, refunds.value));
    const beside = await fitsBesideSettlement(ports, order, { refundNo, amount: left }, "store");
    return beside.map(({ fits, remaining }) => (fits ? left : Math.max(1, remaining)));
  });
}

/** A refund number at the wallet. */
interface NumberAtWallet {
  /** Cents of the refund that the wallet has, or the cents that are asked for. */
  readonly amount: number;
  /** Whether the wallet stated that it has no refund with the number. */
  readonly isUnused: boolean;
}

/**
 * Queries the wallet about a number that the record does not have.
 *
 * A restored database has lost the refunds that were made since its backup, and an imported order
 * may have refunds of the previous service. A wallet answers a repeated number with the earlier
 * refund, or refuses it if the amount differs. So the number of a lost refund gets its amount at
 * the wallet, and fails if another amount is asked for. Any number of the previous service fails,
 * because the import has counted it.
 *
 * If the wallet does not answer, the refund is stored and queried later.
 *
 * @param wanted - cents to refund if the wallet has no refund with the number.
 */
function lookUpNumber(
  ports: SendRefundPorts,
  order: Order,
  { refundNo, amount, reason }: RefundDraft,
  wanted: number,
): ResultAsync<
  NumberAtWallet,
  FailureOf<"refund-no.conflict" | "refund.outcome-unknown" | "pay-tool.not-configured" | StorageFailureName>
> {
  return attempt(async () => {
    const unknown = { amount: wanted, isUnused: false };
    if (order.paymentStatus !== "PAID") return ok(unknown);
    const stored = await ports.refunds.list(keyOf(order));
    if (stored.isErr()) return stored;
    if (stored.value.some((refund) => refund.refundNo === refundNo)) return ok(unknown);
    const account = await findOrderAccount(ports, order);
    if (account.isErr()) return account;
    const isImported = order.notifyUrl === "";
    const request = walletRefundRequest(order, { refundNo, amount: wanted, reason });
    const stated = await queryWalletRefund({ ports, order, account: account.value, request });
    if (stated.isErr()) {
      if (isUntrustedAbsence(stated.error)) return ok({ amount: wanted, isUnused: true });
      return isImported ? fail("refund.outcome-unknown") : ok(unknown);
    }
    if (stated.value === undefined) return ok({ amount: wanted, isUnused: true });
    const there = stated.value.amount;
    return isImported || (amount !== undefined && amount !== there)
      ? fail("refund-no.conflict", { amount: there })
      : ok({ amount: there, isUnused: false });
  });
}
