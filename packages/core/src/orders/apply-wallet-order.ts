import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { serviceNoOf } from "../services/service-no.js";
import { attempt } from "../shared/attempt.js";
import { emit } from "../shared/emit.js";
import type { WalletOrder } from "../wallets/wallet.js";
import { eventWith, type StatementSource } from "./event-details.js";
import { isRefundUnknownToWallet } from "./is-refund-unknown-to-wallet.js";
import { isPlausiblePaymentTime } from "./is-plausible-payment-time.js";
import { keyOf, type Order } from "./order.js";
import { recordAlarm } from "./order-alarm.js";
import type { OrderTransition } from "./order-store.js";
import { paymentContradiction } from "./payment-contradiction.js";
import { canBecomeClosed, canBecomePaid } from "./payment-status-moves.js";
import { firstShipmentAt } from "./shipment.js";
import { statementDifferences } from "./statement-differences.js";
import { closeTransition, transitionOrder } from "./transition-order.js";

/** Ports of {@link applyWalletOrder}. */
export type ApplyWalletOrderPorts = Pick<
  Ports,
  "orders" | "refunds" | "wallets" | "clock" | "random" | "observer"
>;

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
 * must match. A statement that does not match changes nothing and raises a `MISMATCH` alarm. A
 * statement that contradicts the payment on record changes nothing either. It raises a
 * `SECOND_PAYMENT` alarm, or a `CLOSED_AFTER_PAYMENT` alarm unless the wallet knows a refund of the
 * order. Statements may arrive repeatedly, late and in any order.
 *
 * @param source - whether a notification or the answer to a query contained the statement, for the
 *   timeline.
 */
export function applyWalletOrder(
  ports: ApplyWalletOrderPorts,
  order: Order,
  account: WalletAccount,
  statement: WalletOrder,
  source: StatementSource,
): ResultAsync<AppliedWalletOrder, StorageFailure> {
  return attempt(async () => {
    const differences = statementDifferences(order, account, statement);
    if (differences.length > 0) {
      const recorded = await recordAlarm(ports, order, {
        ...eventWith("MISMATCH", { about: "order", source, differences }),
        evidence: statement.evidence,
      });
      if (recorded.isErr()) return recorded;
      return ok({ order, mismatch: true });
    }
    if (statement.state === "OPEN") return ok({ order, mismatch: false });
    const isPaid = statement.state !== "CLOSED";
    let current = order;
    for (;;) {
      const change = isPaid
        ? paymentOf(ports, current, account, statement, source)
        : closureOf(ports, current, statement, source);
      if (change === undefined) break;
      const move = await transitionOrder(ports, current, change);
      if (move.isErr()) return move;
      const { moved, order: after } = move.value;
      current = after;
      if (moved && change.to === "PAID") emitPayment(ports, after, change, source);
      // If another call moved the order first, its status differs from `from`, and the loop tries
      // again. An equal status means that a repetition would not help.
      if (moved || after.paymentStatus === change.from) break;
    }
    const contradiction = paymentContradiction(current, statement, source);
    if (contradiction?.type === "SECOND_PAYMENT") {
      const recorded = await recordAlarm(ports, current, contradiction);
      if (recorded.isErr()) return recorded;
    }
    if (contradiction?.type === "CLOSED_AFTER_PAYMENT") {
      // A wallet may close an order whose whole amount it has returned.
      const refunds = await ports.refunds.list(keyOf(order));
      if (refunds.isErr()) return refunds;
      if (refunds.value.every(isRefundUnknownToWallet)) {
        const recorded = await recordAlarm(ports, current, contradiction);
        if (recorded.isErr()) return recorded;
      }
    }
    // If the statement has the number of the refund, the caller can adopt the refund instead.
    if (statement.state === "REFUNDED" && statement.refundNo === undefined) {
      // The wallet may have made a refund that is still pending in storage.
      const refunds = await ports.refunds.list(keyOf(order));
      if (refunds.isErr()) return refunds;
      if (refunds.value.every(isRefundUnknownToWallet)) {
        const alarm = await recordAlarm(ports, current, {
          ...eventWith("UNKNOWN_REFUND", { source }),
          evidence: statement.evidence,
        });
        if (alarm.isErr()) return alarm;
      }
    }
    return ok({ order: current, mismatch: false });
  });
}

function emitPayment(
  ports: Pick<Ports, "observer">,
  { appId, id: orderId, payChannel }: Order,
  { at, pmtDt = at }: OrderTransition,
  source: StatementSource,
): void {
  const delayMs = Math.max(0, at - pmtDt);
  emit(ports, { type: "payment.recorded", payChannel, appId, orderId, source, delayMs });
}

function paymentOf(
  ports: Pick<Ports, "clock" | "random" | "wallets">,
  order: Order,
  account: WalletAccount,
  statement: WalletOrder,
  source: StatementSource,
): OrderTransition | undefined {
  const { paymentStatus: from } = order;
  if (!canBecomePaid(from)) return undefined;
  const at = ports.clock.now();
  const late = from === "CLOSE";
  const { paidAt = at } = statement;
  const plausible = isPlausiblePaymentTime(paidAt, order, at);
  const details = { source, ...(plausible ? {} : { statedAt: paidAt }) };
  const nextQueryAt = firstShipmentAt(ports, order, account, at);
  return {
    from,
    to: "PAID",
    at,
    pmtDt: plausible ? paidAt : at,
    ...(statement.walletTradeNo === undefined ? {} : { walletTradeNo: statement.walletTradeNo }),
    ...(nextQueryAt === undefined ? {} : { nextQueryAt }),
    // The store extends the service: see `OrderTransition.extendService`.
    ...(order.service === undefined ? {} : { extendService: { serviceNo: serviceNoOf(ports, order) } }),
    entry: {
      ...eventWith(late ? "LATE_PAYMENT" : "PAID", details),
      at,
      actor: "wallet",
      from,
      to: "PAID",
      evidence: statement.evidence,
      alarm: late,
    },
  };
}

function closureOf(
  ports: Pick<Ports, "clock">,
  order: Order,
  statement: WalletOrder,
  source: StatementSource,
): OrderTransition | undefined {
  if (!canBecomeClosed(order.paymentStatus)) return undefined;
  return closeTransition(ports.clock.now(), {
    actor: "wallet",
    details: { source },
    evidence: statement.evidence,
  });
}
