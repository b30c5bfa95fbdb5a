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
import { refundedInFullEntry } from "./refunded-in-full.js";

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
 * - `known`: the refund was stored already. It is returned as it is stored now.
 * - `second-payment`: the wallet has refunded another payment of the order than the one on record.
 *   The timeline records this, and nothing was counted.
 * - `refused`: nothing was counted. `because` is one of:
 *
 *   - absent: the wallet signed that it has no such refund.
 *   - mismatch: merchant, order, number or amount do not fit. An alarm was raised.
 *   - not-confirmed: the wallet has not made the refund, or has closed it.
 *   - order-not-paid: neither storage nor the wallet has a payment of the order.
 *   - exceeds-amount: the wallet's refunds would exceed the order's amount. An alarm was raised.
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
 * Set `isNumberTaken` if a stored refund with another amount has this number.
 */
export function adoptStatedRefund(
  ports: AdoptStatedPorts,
  order: Order,
  statement: WalletRefund,
  { source, by, origin }: Adoption,
  { isNumberTaken = false }: { readonly isNumberTaken?: boolean } = {},
): ResultAsync<AdoptedRefund, StorageFailure> {
  return attempt(async () => {
    const at = ports.clock.now();
    const { amount, evidence, walletRefundNo, toMerchant = false, refundNo: number } = statement;
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
    const paidTwiceEntry: TimelineEntry = {
      ...proof,
      ...eventWith("REFUND_PAID_TWICE", { number }),
      actor: "wallet",
      alarm: true,
    };
    const adoption = { refund, at, entry, refundedEntry: refundedInFullEntry(proof), paidTwiceEntry };
    const outcome = await ports.refunds.adopt(adoption, audit);
    if (outcome.isErr()) return outcome;
    switch (outcome.value.kind) {
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
        return ok<AdoptedRefund>({ kind: "known", refund: outcome.value.refund, order: outcome.value.order });
      case "adopted": {
        emitRefundMoved(ports, outcome.value, "CONFIRMED");
        if (entry.alarm) emitAlarm(ports, order, entry);
        if (outcome.value.isPaidTwice) emitAlarm(ports, order, paidTwiceEntry);
        return ok<AdoptedRefund>({
          kind: "adopted",
          refund: outcome.value.refund,
          order: outcome.value.order,
        });
      }
    }
  });
}

/** The result of an adoption that counted nothing. */
export function refused(because: Exclude<NotAdopted, "second-payment">) {
  return ok<AdoptedRefund>({ kind: "refused", because });
}

/** Returns false only if the order and the refund name different payments. */
export function isOfPaymentOnRecord({ walletTradeNo: ours }: Order, statement: WalletRefund): boolean {
  const { walletTradeNo: theirs = ours } = statement;
  return ours === undefined || theirs === ours;
}
