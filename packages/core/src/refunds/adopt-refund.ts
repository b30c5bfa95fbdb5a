import { err, ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { fail, type FailureOf, type StorageFailure } from "../errors/failure.js";
import type { Origin } from "../operators/operator-command.js";
import { eventWith } from "../orders/event-details.js";
import { readEvent } from "../orders/read-event.js";
import { findConnectedOrder } from "../orders/find-connected-order.js";
import { storedBizNo } from "../orders/biz-no.js";
import { keyOf, type Order } from "../orders/order.js";
import { recordAlarm } from "../orders/order-alarm.js";
import { refreshOrder, type RefreshPorts } from "../orders/refresh-order.js";
import type { TimelineEntry } from "../orders/timeline.js";
import { findOrderAccount } from "../pay-tools/find-order-account.js";
import { attempt } from "../shared/attempt.js";
import { issue, nonBlankText, perPolicy, singleLineText } from "../shared/input.js";
import { aboutOrder, callWallet, walletFailure } from "../wallets/call-wallet.js";
import { isSameMerchant } from "../wallets/is-same-merchant.js";
import type { WalletFailure, WalletRefund } from "../wallets/wallet.js";
import {
  type AdoptedRefund,
  type Adoption,
  adoptStatedRefund,
  isOfPaymentOnRecord,
  refused,
} from "./store-adopted-refund.js";
import { queryAndApplyRefund } from "./process-refund.js";
import type { RefundPorts } from "./refund-call.js";
import { adoptedRefundNo, type Refund, refundWithNumber } from "./refund.js";

/** Ports of {@link adoptRefund}. */
export type AdoptPorts = RefreshPorts & RefundPorts;

/**
 * Adopts a refund: stores a refund that the wallet made, given the refund's number at the wallet.
 *
 * The number can come from an unsigned source, such as a bill or an operator. Only the wallet's
 * signed answer to a query counts. The answer must state the merchant and the number of this order,
 * the number of the refund, and an amount of at most the order's amount. One atomic step stores the
 * refund as CONFIRMED and counts its amount. If the whole amount of the order is then refunded, the
 * step also changes the order's status and revokes its service time. Safe to repeat: each number is
 * adopted once.
 *
 * @param walletRefundNo - the refund's number at the wallet: `out_refund_no` at WeChat Pay,
 *   `out_request_no` at Alipay.
 * @see {@link
 *   https://github.com/tillkit/tillkit/blob/main/docs/decisions/refunds-outside-tillkit.md |
 *   Refund records follow the wallet's answers}
 */
export function adoptFoundRefund(
  ports: AdoptPorts,
  order: Order,
  walletRefundNo: string,
  adoption: Adoption,
): ResultAsync<AdoptedRefund, WalletFailure | FailureOf<"pay-tool.not-configured"> | StorageFailure> {
  return attempt(async () => {
    const refunds = await ports.refunds.list(keyOf(order));
    if (refunds.isErr()) return refunds;
    const refund = refundWithNumber(order, refunds.value, walletRefundNo);
    if (refund !== undefined) return known(ports, order, refund);
    const { deadline = ports.policy.walletDeadline } = adoption;
    const account = await findOrderAccount(ports, order);
    if (account.isErr()) return account;
    const request = {
      outTradeNo: order.id,
      refundNo: walletRefundNo,
      amount: order.amount,
      orderAmount: order.amount,
      reason: "",
      notifyUrl: order.notifyUrl,
    };
    const statement = await callWallet(
      ports,
      aboutOrder(order, adoptedRefundNo(order, request.refundNo)),
      "queryRefund",
      (wallet) => wallet.queryRefund(account.value, request, { deadline }),
    );
    if (statement.isErr()) return err(statement.error);
    if (statement.value === undefined) return refused("absent");
    const fits =
      isSameMerchant(account.value, statement.value) &&
      statement.value.outTradeNo === order.id &&
      statement.value.refundNo === walletRefundNo &&
      statement.value.amount > 0 &&
      statement.value.amount <= order.amount;
    if (!fits) {
      const recorded = await recordAlarm(ports, order, {
        ...eventWith("MISMATCH", { about: "refund", number: walletRefundNo }),
        evidence: statement.value.evidence,
      });
      return recorded.isErr() ? recorded : refused("mismatch");
    }
    if (statement.value.state !== "CONFIRMED") return refused("not-confirmed");
    let current = order;
    if (order.paymentStatus === "PENDING" || order.paymentStatus === "CLOSE") {
      const refreshed = await refreshOrder(ports, order, deadline);
      if (refreshed.isErr()) return err(refreshed.error);
      current = refreshed.value;
    }
    if (!isOfPaymentOnRecord(current, statement.value))
      return noteSecondPayment(ports, current, statement.value, adoption.by);
    const before = await isBeforeImport(ports, current, statement.value);
    if (before.isErr()) return before;
    return before.value ? refused("imported") : adoptStatedRefund(ports, current, statement.value, adoption);
  });
}

/** Queries the wallet about a stored refund, unless it is CONFIRMED. */
function known(ports: AdoptPorts, order: Order, before: Refund): ReturnType<typeof adoptFoundRefund> {
  return attempt(async () => {
    if (before.status === "CONFIRMED") return ok<AdoptedRefund>({ kind: "known", refund: before, order });
    const answer = await queryAndApplyRefund(ports, order, before);
    if (answer.isErr()) return err(answer.error);
    const { refund, stated } = answer.value;
    if (stated === undefined) return refused("absent");
    if (refund.status === "CONFIRMED" || refund.status === "SETTLED")
      return ok<AdoptedRefund>({ kind: "known", refund, order });
    // The wallet may have stated another refund with this number. The query has then adopted that
    // one.
    const refunds = await ports.refunds.list(keyOf(order));
    if (refunds.isErr()) return refunds;
    const other = refundWithNumber(order, refunds.value, stated.refundNo);
    return other?.status === "CONFIRMED"
      ? ok<AdoptedRefund>({ kind: "known", refund: other, order })
      : refused("not-confirmed");
  });
}

/**
 * Records, once, that the wallet has refunded a second payment, which the order does not count.
 *
 * The payment on record stays, and so do the order's status and its service time.
 */
function noteSecondPayment(
  ports: Pick<AdoptPorts, "orders" | "clock">,
  order: Order,
  { amount, evidence, refundNo: number, walletTradeNo: stated = "" }: WalletRefund,
  by: Adoption["by"],
): ResultAsync<AdoptedRefund, StorageFailure> {
  const entry: TimelineEntry = {
    ...eventWith("SECOND_PAYMENT_REFUNDED", { amount, number, stated }),
    at: ports.clock.now(),
    actor: by === undefined ? "wallet" : `operator:${by.operator}`,
    reason: by?.reason ?? "",
    evidence,
    alarm: false,
  };
  return ports.orders.record(keyOf(order), entry).map(() => ({ kind: "second-payment", amount }));
}

/**
 * Returns whether the refund may be one that the import of the order already counted.
 *
 * The import counted earlier refunds as one sum, so Tillkit cannot recognize a single refund.
 */
function isBeforeImport(
  ports: Pick<AdoptPorts, "orders">,
  order: Order,
  { refundedAt }: WalletRefund,
): ResultAsync<boolean, StorageFailure> {
  return attempt(async () => {
    if (order.notifyUrl !== "") return ok(false);
    const timeline = await ports.orders.timeline(keyOf(order));
    if (timeline.isErr()) return timeline;
    const importEvent = timeline.value.find(({ type }) => type === "IMPORTED");
    if (importEvent === undefined) return ok(false);
    const { details } = readEvent({ ...importEvent, type: "IMPORTED" });
    if (details?.refundedAmount === 0) return ok(false);
    return ok(refundedAt === undefined || refundedAt <= importEvent.at);
  });
}

/** Operator's request to adopt a refund. `walletRefundNo` is the refund's number at the wallet. */
export const adoptRefundInput = perPolicy(() =>
  z
    .object({
      bizNo: storedBizNo(),
      walletRefundNo: singleLineText(64).refine(
        (text) => /^[0-9A-Za-z_\-|*@]+$/.test(text),
        issue("visible-ascii"),
      ),
      reason: nonBlankText(200),
      operator: nonBlankText(64),
    })
    .brand<"AdoptRefundInput">(),
);
/** A valid adoption request: the result of `parseInput(adoptRefundInput(policy), …)`. */
export type AdoptRefundInput = z.output<ReturnType<typeof adoptRefundInput>>;

/** Reasons why a refund was not adopted. */
export type AdoptRefundFailure =
  | ReturnType<typeof walletFailure>
  | FailureOf<"order.not-found" | "refund.not-adopted" | "pay-tool.not-configured">
  | StorageFailure;

/**
 * Adopts a refund that was made in the wallet's console, for an operator who knows its number.
 *
 * Queries the wallet for the number, and stores the refund that the signed answer states. Moves no
 * money. Safe to repeat: each number is adopted once. A stored CONFIRMED or SETTLED refund keeps
 * its status. Any other stored refund is updated with the wallet's answer.
 *
 * @example
 * ```ts
 * import { parseInput } from "@tillkit/core";
 * import { adoptRefund, adoptRefundInput } from "@tillkit/core/operators";
 *
 * const adopted = await parseInput(adoptRefundInput(ports.policy), {
 *   bizNo: "order-1001",
 *   walletRefundNo: "50300000382026112700001",
 *   reason: "refunded in the merchant platform",
 *   operator: "alex",
 * }).asyncAndThen((input) => adoptRefund(ports, appId, input));
 * ```
 * @param origin - where the command comes from. With it, the audit log gets an entry in the same
 *   transaction.
 * @returns the refund. Fails with `refund.not-adopted` and the reason if the wallet does not
 *   confirm it for this order.
 */
export function adoptRefund(
  ports: AdoptPorts,
  appId: string,
  input: AdoptRefundInput,
  origin?: Origin,
): ResultAsync<Refund, AdoptRefundFailure> {
  return attempt(async () => {
    const { operator, reason, walletRefundNo } = input;
    const key = { appId, bizNo: input.bizNo };
    const order = await findConnectedOrder(ports, key, `operator:${operator}`);
    if (order.isErr()) return order;
    const by = { operator, reason };
    const adoption = await adoptFoundRefund(ports, order.value, walletRefundNo, {
      source: "operator",
      by,
      origin,
    });
    if (adoption.isErr()) {
      const { error } = adoption;
      return error.name === "wallet.rejected" || error.name === "wallet.unknown"
        ? err(walletFailure(order.value.payChannel, error))
        : err(error);
    }
    const { value } = adoption;
    switch (value.kind) {
      case "refused":
        return fail("refund.not-adopted", { because: value.because });
      case "second-payment":
        return fail("refund.not-adopted", { because: "second-payment" });
      case "adopted":
      case "known":
        return ok(value.refund);
    }
  });
}
