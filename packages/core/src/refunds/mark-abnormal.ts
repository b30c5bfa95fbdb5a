import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { eventWith } from "../orders/event-details.js";
import { type Order, keyOf } from "../orders/order.js";
import type { TimelineEntry } from "../orders/timeline.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import type { WalletRefund } from "../wallets/wallet.js";
import { emitRefundMoved } from "./emit-refund-moved.js";
import { isOpenRefund, type Refund } from "./refund.js";
import { nextRefundTryAt } from "./refund-schedule.js";
import { emitAlarm, recordAlarm } from "../orders/order-alarm.js";

/**
 * Moves a refund to ABNORMAL and raises an alarm: its money cannot reach the customer.
 *
 * A CONFIRMED, FAILED or WITHDRAWN refund does not move and gets a `MISMATCH` alarm. Wallets repeat
 * a notification for up to a day, so a notification may be older than an operator's action. A
 * second notification about ABNORMAL therefore only makes the reconciler query the wallet now.
 *
 * @param seen - the refund as it was before the wallet was queried. Absent for a notification.
 */
export function markAbnormal(
  ports: Pick<Ports, "orders" | "refunds" | "clock" | "observer" | "policy">,
  order: Order,
  refund: Refund,
  statement: WalletRefund,
  seen: Refund | undefined,
): ResultAsync<Refund, StorageFailure> {
  return attempt(async () => {
    const key = keyOf(order);
    const { refundNo, amount, status } = refund;
    if (status === "CONFIRMED" || status === "FAILED" || status === "WITHDRAWN") {
      const recorded = await recordAlarm(ports, order, {
        ...eventWith("MISMATCH", { about: "abnormal-after-end", status }),
        evidence: `abnormal ${refundNo}`,
        refundNo,
      });
      if (recorded.isErr()) return recorded;
    }
    const before = seen ?? refund;
    if (!isOpenRefund(refund) || !isOpenRefund(before) || before.status === "ABNORMAL") return ok(refund);
    const at = ports.clock.now();
    const events = await ports.orders.timeline(key);
    if (events.isErr()) return events;
    const mine = `${refundNo} `;
    const times = events.value.filter(
      ({ type, evidence }) => type === "REFUND_ABNORMAL" && evidence?.startsWith(mine) === true,
    ).length;
    if (seen === undefined && times > 0) {
      const scheduled = await ports.refunds.schedule(key, refundNo, at);
      if (scheduled.isErr()) return scheduled;
      return ok(refund);
    }
    const { walletRefundNo } = statement;
    const entry: TimelineEntry = {
      ...eventWith("REFUND_ABNORMAL", { amount }),
      at,
      actor: "wallet",
      evidence: `${mine}${String(times + 1)}`,
      alarm: true,
      refundNo,
    };
    const result = await ports.refunds.progress(key, refundNo, {
      seen: before,
      to: "ABNORMAL",
      nextTryAt: nextRefundTryAt({ gmtModified: at }, at, ports.policy),
      ...(walletRefundNo === undefined ? {} : { walletRefundNo }),
      entry,
    });
    if (result.isErr()) return result;
    if (result.value?.moved === true) {
      emitRefundMoved(ports, result.value, "ABNORMAL");
      emitAlarm(ports, order, entry);
    }
    return ok(result.value?.refund ?? refund);
  });
}
