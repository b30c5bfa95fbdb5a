import { ok, okAsync, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { fail, type FailureOf, type StorageFailure, type StorageFailureName } from "../errors/failure.js";
import { eventWith } from "../orders/event-details.js";
import { readConnected } from "../orders/find-connected-order.js";
import { keyOf } from "../orders/order.js";
import type { TimelineEntry } from "../orders/timeline.js";
import { nonBlankText, perPolicy } from "../shared/input.js";
import { attempt } from "../shared/attempt.js";
import { findOrderAccount } from "../pay-tools/find-order-account.js";
import { isUntrustedAbsence } from "../wallets/call-wallet.js";
import { type OrderRecord, readOrderRecord } from "./order-differences.js";
import { emitRefundMoved } from "./emit-refund-moved.js";
import { processRefund } from "./process-refund.js";
import { queryWalletRefund, type SendRefundPorts, walletRefundRequest } from "./refund-call.js";
import { refundInputShape } from "./refund-input-shape.js";
import type { Refund } from "./refund.js";
import { fitsBesideSettlement, remainingOf } from "./remaining.js";
import { reloadRefund } from "./reload-refund.js";
import { whileChanged } from "./while-changed.js";

/**
 * Operator's request to refund an order, fully or partially.
 *
 * `amount` is in cents. If `amount` is absent, the whole rest is refunded: the amount that is
 * neither refunded nor reserved by an open refund. The caller chooses `refundNo`: 1 to 31
 * characters of `[0-9A-Za-z_-]`, unique within the order.
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
 * It continues the pending refund, or returns the ended one. The reason and the operator of the
 * first call are kept. The refund is stored before the wallet is called. An order has at most one
 * refund in REQUESTED or SENT, and a new refund never exceeds what remains of the order's amount.
 *
 * If storage does not have the `refundNo`, the wallet is queried about it, because a restored
 * database may have lost the refund. If the wallet has the refund, it is stored with the wallet's
 * amount, and nothing is sent. An imported order is connected to the app's current pay tool first.
 *
 * After `refund.outcome-unknown` the reconciler continues the refund. If the order is imported,
 * storage possibly has no refund: then repeat the call. Do not refund by other means in the
 * meantime.
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
 * @returns the refund. Fails with `order.damaged` if the order contradicts its timeline. Fails with
 *   `refund-no.conflict` if storage or the wallet has a refund with this number and another amount,
 *   or if the number belongs to a refund of the previous service. Fails with `refund.rejected` if
 *   the refund is FAILED. The status is one of:
 * - CONFIRMED: the wallet made the refund.
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
  return makeRefund(ports, appId, input).andThen(({ outcome, refund }) =>
    outcome === "unknown" ? fail("refund.outcome-unknown") : ok(refund),
  );
}

/**
 * A stored refund and its outcome.
 *
 * - `refunded`: the customer has the money.
 * - `accepted`: the wallet processes the refund, or the merchant must act. See `refund.status`.
 * - `unknown`: the wallet gave no definite answer. The reconciler continues the refund.
 */
export interface MadeRefund {
  readonly outcome: "refunded" | "accepted" | "unknown";
  readonly refund: Refund;
}

/**
 * Returns a stored refund with the outcome that its status implies.
 *
 * @returns the refund with the outcome `refunded` or `accepted`.
 * @example
 * ```ts
 * import { knownRefund, type Refund } from "@tillkit/core";
 *
 * declare const refund: Refund;
 *
 * const { outcome } = knownRefund(refund);
 * ```
 */
export function knownRefund(refund: Refund): MadeRefund {
  const isOver = refund.status === "CONFIRMED" || refund.status === "SETTLED";
  return { outcome: isOver ? "refunded" : "accepted", refund };
}

/** A refund to make. `amount` is in cents. If it is absent, the whole rest is refunded. */
export interface RefundDraft extends Pick<Refund, "bizNo" | "refundNo" | "reason" | "operator"> {
  readonly amount?: number | undefined;
  /** The operator who approved the refund, for the timeline. */
  readonly approvedBy?: string | undefined;
}

/**
 * Makes a refund, or continues the existing one with the same number.
 *
 * @returns the stored refund, also if the outcome is unknown. Fails like {@link refundOrder}, with
 *   `refund.outcome-unknown` only if nothing was stored, and with `refund.in-progress` if the order
 *   keeps changing.
 */
export function makeRefund(
  ports: SendRefundPorts,
  appId: string,
  draft: RefundDraft,
): ResultAsync<MadeRefund, RefundOrderFailure> {
  const key = { appId, bizNo: draft.bizNo };
  const actor = `operator:${draft.operator}`;
  return whileChanged(() =>
    readConnected(ports, actor, () => readOrderRecord(ports, key)).andThen((record) =>
      refundRecord(ports, record, draft),
    ),
  );
}

/**
 * Like {@link makeRefund}, for an order that was read and is connected to a pay tool.
 *
 * Returns `changed` if it stored nothing, because the order has changed since `record` was read.
 */
export function refundRecord(
  ports: SendRefundPorts,
  record: OrderRecord,
  draft: RefundDraft,
): ResultAsync<MadeRefund | "changed", RefundOrderFailure> {
  return attempt(async () => {
    const { refundNo, reason, operator, approvedBy } = draft;
    const now = ports.clock.now();
    const target = await wantedAmount(ports, record, draft);
    if (target.isErr()) return target;
    const lookup = await lookUpNumber(ports, record, draft, target.value);
    if (lookup.isErr()) return lookup;
    if (lookup.value === "changed") return ok("changed" as const);
    const { amount, isUnused } = lookup.value;
    const beside = await fitsBesideSettlement(ports, record, { refundNo, amount }, "store");
    if (beside.isErr()) return beside;
    if (!beside.value.fits) return fail("refund.exceeds-remaining", { remaining: beside.value.remaining });
    const refund: Refund = {
      ...keyOf(record.order),
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
    // If the order has changed during the query, the store returns `changed`.
    const outcome = await ports.refunds.request(refund, entry, record.seen);
    if (outcome.isErr()) return outcome;
    switch (outcome.value.kind) {
      case "no-order":
        return fail("order.not-found");
      case "not-paid":
        return fail(outcome.value.order.paymentStatus === "REFUND" ? "order.refunded" : "order.not-paid");
      case "changed":
        return ok("changed" as const);
      case "in-progress":
        return fail("refund.in-progress");
      case "exceeds-remaining":
        return fail("refund.exceeds-remaining", { remaining: outcome.value.remaining });
      case "held":
        if (draft.amount !== undefined && draft.amount !== outcome.value.refund.amount)
          return fail("refund-no.conflict", { amount: outcome.value.refund.amount });
        break;
      case "requested":
        emitRefundMoved(ports, outcome.value, "REQUESTED");
        break;
    }
    const result = await processRefund(ports, outcome.value.order, outcome.value.refund, { isUnused });
    if (result.isErr()) return result;
    const { refund: current, definite } = result.value;
    if (current.status === "FAILED") return fail("refund.rejected");
    if (current.status === "WITHDRAWN") return fail("refund.withdrawn");
    if (definite) return ok(knownRefund(current));
    // The stored refund has a new `nextTryAt`, and another call may have moved it in the meantime.
    const reload = await reloadRefund(ports, outcome.value.order, current);
    return reload.map((refund): MadeRefund => ({ outcome: "unknown", refund }));
  });
}

/**
 * Returns the cents to refund: the requested amount, or the whole rest.
 *
 * Returns at least 1, so that the store still checks the request if nothing is left.
 */
function wantedAmount(
  ports: Pick<SendRefundPorts, "orders" | "billExceptions">,
  record: OrderRecord,
  { refundNo, amount }: RefundDraft,
): ResultAsync<number, StorageFailure> {
  if (amount !== undefined) return okAsync(amount);
  const rest = Math.max(1, remainingOf(record.order, record.refunds));
  const beside = fitsBesideSettlement(ports, record, { refundNo, amount: rest }, "store");
  return beside.map(({ fits, remaining }) => (fits ? rest : Math.max(1, remaining)));
}

/** A refund number at the wallet. */
interface NumberAtWallet {
  /** Cents of the refund that the wallet has, or the requested cents. */
  readonly amount: number;
  /** Whether the wallet stated that it has no refund with the number. */
  readonly isUnused: boolean;
}

/**
 * Queries the wallet about a refund number that storage does not have.
 *
 * A restored database has lost the refunds that were made since its backup, and an imported order
 * may have refunds of the previous service. A wallet answers a repeated number with the earlier
 * refund, or refuses the request if the amount differs. So a lost refund is stored with its amount
 * at the wallet, and a request for another amount fails. A number of the previous service always
 * fails, because the import has counted its refund.
 *
 * If the wallet does not answer, the refund is stored and queried later. For an imported order, the
 * call fails with `refund.outcome-unknown` instead.
 *
 * @param target - cents to refund if the wallet has no refund with the number.
 * @returns `changed` if another call has stored a refund with the number in the meantime: the
 *   wallet's refund is the one of that call.
 */
function lookUpNumber(
  ports: SendRefundPorts,
  { order, refunds }: OrderRecord,
  { refundNo, amount, reason }: RefundDraft,
  target: number,
): ResultAsync<
  NumberAtWallet | "changed",
  FailureOf<"refund-no.conflict" | "refund.outcome-unknown" | "pay-tool.not-configured" | StorageFailureName>
> {
  return attempt(async () => {
    const unknown = { amount: target, isUnused: false };
    if (order.paymentStatus !== "PAID") return ok(unknown);
    const isSame = (refund: Refund) => refund.refundNo === refundNo;
    if (refunds.some(isSame)) return ok(unknown);
    const account = await findOrderAccount(ports, order);
    if (account.isErr()) return account;
    const isImported = order.notifyUrl === "";
    const request = walletRefundRequest(order, { refundNo, amount: target, reason });
    const statement = await queryWalletRefund({ ports, order, account: account.value, refundNo, request });
    if (statement.isErr()) {
      if (isUntrustedAbsence(statement.error)) return ok({ amount: target, isUnused: true });
      return isImported ? fail("refund.outcome-unknown") : ok(unknown);
    }
    if (statement.value === undefined) return ok({ amount: target, isUnused: true });
    const there = statement.value.amount;
    if (!isImported && (amount ?? there) === there) return ok({ amount: there, isUnused: false });
    const current = await ports.refunds.list(keyOf(order));
    if (current.isErr()) return current;
    return current.value.some(isSame)
      ? ok("changed" as const)
      : fail("refund-no.conflict", { amount: there });
  });
}
