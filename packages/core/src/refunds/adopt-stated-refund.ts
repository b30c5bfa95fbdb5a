import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { NotAdopted } from "../errors/rule-texts.js";
import { auditEntryIfAny, type Origin } from "../operators/operator-command.js";
import { type AdoptionSource, eventWith } from "../orders/event-details.js";
import { keyOf, type Order } from "../orders/order.js";
import { emitAlarm, recordAlarm } from "../orders/order-alarm.js";
import type { TimelineEntry } from "../orders/timeline.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import type { WalletRefund } from "../wallets/wallet.js";
import { emitRefundMoved } from "./emit-refund-moved.js";
import { adoptedRefundNo, consoleRefundNo, type Refund } from "./refund.js";
import { refundedInFullEntry } from "./refunded-in-full-entry.js";

/** Who wants to adopt a refund, and how its number became known. */
export interface Adoption {
  readonly source: AdoptionSource;
  /** The operator and the reason. Absent if no person acts. */
  readonly by?: { readonly operator: string; readonly reason: string };
  readonly origin?: Origin | undefined;
  /** Milliseconds for each call to the wallet. Defaults to `policy.walletDeadline`. */
  readonly deadline?: number;
}

/**
 * The result of an adoption.
 *
 * - `adopted`: the refund is stored and counted now.
 * - `known`: the record had the refund. It is returned as it is after a query about it.
 * - `second-payment`: the wallet has returned another payment of the order than the one on record.
 *   The timeline has it, and nothing was counted.
 * - `refused`: nothing was counted. `because` is one of:
 *
 *   - absent: the wallet signed that it has no such refund.
 *   - mismatch: merchant, order or amount do not fit. Raised an alarm.
 *   - not-confirmed: the wallet has not made the refund, or has closed it.
 *   - order-not-paid: neither the record nor the wallet has a payment of the order.
 *   - exceeds-amount: the wallet's refunds would exceed the amount of the order. Raised an alarm.
 *   - imported: the refund may be part of what was refunded before the order was imported.
 */
export type AdoptedRefund =
  | { readonly kind: "adopted" | "known"; readonly refund: Refund; readonly order: Order }
  | {
      readonly kind: "second-payment";
      /** Cents. */
      readonly amount: number;
    }
  | { readonly kind: "refused"; readonly because: Exclude<NotAdopted, "second-payment"> };

/** Ports of {@link adoptStatedRefund}. */
export type AdoptStatedPorts = Pick<Ports, "orders" | "refunds" | "clock" | "observer">;

/**
 * Stores a refund that the wallet confirmed for the order, and counts it, once.
 *
 * `isNumberTaken`: a refund of another amount has its number here.
 */
export function adoptStatedRefund(
  ports: AdoptStatedPorts,
  order: Order,
  stated: WalletRefund,
  { source, by, origin }: Adoption,
  { isNumberTaken = false }: { readonly isNumberTaken?: boolean } = {},
): ResultAsync<AdoptedRefund, StorageFailure> {
  return attempt(async () => {
    const at = ports.clock.now();
    const { amount, evidence, walletRefundNo, toMerchant = false, refundNo: number } = stated;
    const refundNo = isNumberTaken ? consoleRefundNo(number) : adoptedRefundNo(order, number);
    const actor = by === undefined ? "wallet" : `operator:${by.operator}`;
    const proof = { at, actor, evidence, refundNo } as const;
    const entry: TimelineEntry = {
      ...proof,
      ...eventWith("REFUND_ADOPTED", { amount, number, source, ...(toMerchant && { toMerchant }) }),
      reason: by?.reason ?? "",
      alarm: toMerchant,
    };
    const refund: Refund = {
      ...keyOf(order),
      refundNo,
      amount,
      reason: by?.reason ?? "",
      operator: by?.operator ?? "wallet",
      status: "CONFIRMED",
      ...(walletRefundNo === undefined ? {} : { walletRefundNo }),
      gmtCreate: at,
      gmtModified: at,
    };
    const audit = auditEntryIfAny(ports, origin && by && { ...origin, ...by }, {
      action: "refund.adopt",
      subject: `order:${order.appId}/${order.bizNo}`,
      appId: order.appId,
      detail: JSON.stringify({ refundNo, amount }),
    });
    const adoption = { refund, at, entry, refundedEntry: refundedInFullEntry(proof) };
    const result = await ports.refunds.adopt(adoption, audit);
    if (result.isErr()) return result;
    const adopted = result.value;
    switch (adopted.kind) {
      case "no-order":
      case "not-paid":
        return refused("order-not-paid");
      case "exceeds-amount": {
        const recorded = await recordAlarm(ports, order, {
          ...eventWith("UNKNOWN_REFUND", { number }),
          evidence,
        });
        return recorded.isErr() ? recorded : refused("exceeds-amount");
      }
      case "held":
        return ok<AdoptedRefund>({ kind: "known", refund: adopted.refund, order: adopted.order });
      case "adopted": {
        emitRefundMoved(ports, adopted, "CONFIRMED");
        if (entry.alarm) emitAlarm(ports, order, entry);
        const checked = await alarmIfPaidTwice(ports, adopted, stated);
        if (checked.isErr()) return checked;
        return ok<AdoptedRefund>({ kind: "adopted", refund: adopted.refund, order: adopted.order });
      }
    }
  });
}

/**
 * Raises an alarm if the customer may have got the money of a SETTLED refund a second time.
 *
 * That is so if the refunds exceed the amount of the order, or if the amounts are equal.
 */
function alarmIfPaidTwice(
  ports: AdoptStatedPorts,
  { order, refund }: { readonly order: Order; readonly refund: Refund },
  { evidence, refundNo: number }: WalletRefund,
): ResultAsync<void, StorageFailure> {
  return attempt(async () => {
    const refunds = await ports.refunds.list(keyOf(order));
    if (refunds.isErr()) return refunds;
    const settled = refunds.value.filter(({ status }) => status === "SETTLED");
    const isTwice =
      settled.length > 0 &&
      (order.refundedAmount > order.amount || settled.some(({ amount }) => amount === refund.amount));
    if (!isTwice) return ok(undefined);
    return recordAlarm(ports, order, {
      ...eventWith("REFUND_PAID_TWICE", { number }),
      evidence,
      refundNo: refund.refundNo,
    });
  });
}

/** The result of an adoption that counted nothing. */
export function refused(because: Exclude<NotAdopted, "second-payment">) {
  return ok<AdoptedRefund>({ kind: "refused", because });
}

/** Returns whether a refund returns the payment on record, as far as both name their payment. */
export function isOfPaymentOnRecord({ walletTradeNo: recorded }: Order, stated: WalletRefund): boolean {
  const { walletTradeNo: returned = recorded } = stated;
  return recorded === undefined || returned === recorded;
}
