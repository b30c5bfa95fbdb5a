import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { isUnknownToWallet } from "./is-unknown-to-wallet.js";
import { newId } from "../shared/random.js";
import { attempt } from "../shared/attempt.js";
import type { WalletOrder } from "../wallets/wallet.js";
import type { Order, OrderKey } from "./order.js";
import type { OrderTransition } from "./order-store.js";
import type { TimelineEntry } from "./timeline.js";
import { emit } from "../shared/emit.js";

/** Ports of {@link applyWalletOrder}. */
export type TransitionPorts = Pick<Ports, "orders" | "refunds" | "clock" | "random" | "observer">;

/**
 * The order after a wallet's statement. `mismatch` is true if the statement did not match the
 * order.
 */
export interface AppliedWalletOrder {
  readonly order: Order;
  readonly mismatch: boolean;
}

/**
 * Applies a verified statement of the wallet to the order.
 *
 * Only this function moves an order to PAID. Order number, app id, merchant, amount and currency
 * must match. A statement that does not match changes nothing and raises a `MISMATCH` alarm.
 * Statements may arrive repeatedly, late and in any order.
 *
 * @param source - the origin of the statement, for the timeline, such as "the wallet's answer".
 */
export function applyWalletOrder(
  ports: TransitionPorts,
  order: Order,
  account: WalletAccount,
  stated: WalletOrder,
  source: string,
): ResultAsync<AppliedWalletOrder, StorageFailure> {
  return attempt(async () => {
    const differences = differencesOf(order, account, stated);
    if (differences.length > 0) {
      const reason = `${source} does not fit the order: ${differences.join(", ")}`;
      const recorded = await recordAlarm(ports, order, {
        type: "MISMATCH",
        reason,
        evidence: stated.evidence,
      });
      if (recorded.isErr()) return recorded;
      return ok({ order, mismatch: true });
    }
    if (stated.state === "OPEN") return ok({ order, mismatch: false });
    const paid = stated.state !== "CLOSED";
    let current = order;
    for (;;) {
      const change = paid
        ? paymentOf(ports, current, stated, source)
        : closureOf(ports, current, stated, source);
      if (change === undefined) break;
      const move = await transitionOrder(ports, current, change);
      if (move.isErr()) return move;
      const { moved, order: after } = move.value;
      current = after;
      // Statuses only move forward, so a lost race shows a new status. The same status means no
      // progress.
      if (moved || after.paymentStatus === change.from) break;
    }
    if (stated.state === "REFUNDED") {
      // The wallet may know of a refund that is still pending in storage.
      const refundsResult = await ports.refunds.list(keyOf(order));
      if (refundsResult.isErr()) return refundsResult;
      const refunds = refundsResult.value;
      if (refunds.every(isUnknownToWallet)) {
        const reason = `${source} reports a refund that was not made here`;
        const recordedResult = await recordAlarm(ports, current, {
          type: "UNKNOWN_REFUND",
          reason,
          evidence: stated.evidence,
        });
        if (recordedResult.isErr()) return recordedResult;
      }
    }
    return ok({ order: current, mismatch: false });
  });
}

/**
 * Moves the order by compare-and-set and emits the event.
 *
 * Changes nothing if another caller was faster, or if the order does not exist.
 */
export function transitionOrder(
  ports: Pick<Ports, "orders" | "observer">,
  order: Order,
  change: OrderTransition,
): ResultAsync<{ readonly moved: boolean; readonly order: Order }, StorageFailure> {
  return ports.orders.transition(keyOf(order), change).map((result = { moved: false, order }) => {
    const { moved, order: after } = result;
    if (!moved) return result;
    emit(ports, {
      type: "order.moved",
      appId: order.appId,
      orderId: order.id,
      from: change.from,
      to: change.to,
    });
    if (change.entry.alarm) emitAlarm(ports, order, change.entry);
    return { moved, order: after };
  });
}

/**
 * Records an alarm on the order's timeline, once per evidence, and emits it to the observer.
 *
 * The actor is the wallet by default.
 */
export function recordAlarm(
  ports: Pick<Ports, "orders" | "clock" | "observer">,
  order: Order,
  alarm: Pick<TimelineEntry, "type" | "reason" | "evidence"> & Partial<Pick<TimelineEntry, "actor">>,
): ResultAsync<void, StorageFailure> {
  const entry: TimelineEntry = { actor: "wallet", ...alarm, at: ports.clock.now(), alarm: true };
  return ports.orders.record(keyOf(order), entry).map((recorded) => {
    if (recorded) emitAlarm(ports, order, entry);
  });
}

/** Returns the key of an order or refund. */
export function keyOf({ appId, bizNo }: OrderKey): OrderKey {
  return { appId, bizNo };
}

/** Emits an alarm that is already on the order's timeline. */
export function emitAlarm(ports: Pick<Ports, "observer">, order: Order, entry: TimelineEntry): void {
  emit(ports, { type: "order.alarm", appId: order.appId, orderId: order.id, event: entry.type });
}

function differencesOf(order: Order, account: WalletAccount, stated: WalletOrder): readonly string[] {
  // A wallet may omit amount and currency while nothing is paid. A payment must state both.
  const silent = stated.state === "OPEN" || stated.state === "CLOSED";
  const amountFits = stated.amount === order.amount || (silent && stated.amount === undefined);
  const currencyFits = stated.currency === "CNY" || (silent && stated.currency === undefined);
  return [
    stated.outTradeNo === order.id ? [] : ["order number"],
    stated.walletAppId === account.walletAppId ? [] : ["app id"],
    stated.merchantId === account.accountId ? [] : ["merchant"],
    amountFits ? [] : ["amount"],
    currencyFits ? [] : ["currency"],
  ].flat();
}

function paymentOf(
  ports: Pick<Ports, "clock" | "random">,
  order: Order,
  stated: WalletOrder,
  source: string,
): OrderTransition | undefined {
  const { paymentStatus: from } = order;
  if (from !== "PENDING" && from !== "CLOSE") return undefined;
  const at = ports.clock.now();
  const late = from === "CLOSE";
  return {
    from,
    to: "PAID",
    at,
    pmtDt: stated.paidAt ?? at,
    ...(stated.walletTradeNo === undefined ? {} : { walletTradeNo: stated.walletTradeNo }),
    // The store extends the service: see `OrderTransition.extendService`.
    ...(order.service === undefined
      ? {}
      : { extendService: { serviceNo: order.serviceNo ?? `svc_${newId(ports)}` } }),
    entry: {
      type: late ? "LATE_PAYMENT" : "PAID",
      at,
      actor: "wallet",
      reason: late ? `${source} says paid, after the order was closed` : `${source} says paid`,
      from,
      to: "PAID",
      evidence: stated.evidence,
      alarm: late,
    },
  };
}

function closureOf(
  ports: Pick<Ports, "clock">,
  order: Order,
  stated: WalletOrder,
  source: string,
): OrderTransition | undefined {
  if (order.paymentStatus !== "PENDING") return undefined;
  return closeTransition(ports.clock.now(), "wallet", `${source} says closed`, stated.evidence);
}

/**
 * Returns the change from PENDING to CLOSE.
 *
 * Use it only after the wallet confirmed that the order is closed or does not exist.
 */
export function closeTransition(
  at: number,
  actor: string,
  reason: string,
  evidence?: string,
): OrderTransition {
  const proof = evidence === undefined ? {} : { evidence };
  const entry = {
    type: "CLOSED",
    at,
    actor,
    reason,
    from: "PENDING",
    to: "CLOSE",
    ...proof,
    alarm: false,
  } as const;
  return { from: "PENDING", to: "CLOSE", at, entry };
}
