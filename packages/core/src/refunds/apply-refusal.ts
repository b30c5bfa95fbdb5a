import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { eventWith } from "../orders/event-details.js";
import { type Order, keyOf } from "../orders/order.js";
import type { TimelineEntry } from "../orders/timeline.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import type { WalletRejected } from "../wallets/wallet.js";
import { failRefund } from "./apply-wallet-refund.js";
import { reloadRefund } from "./reload-refund.js";
import { emitRefundMoved } from "./emit-refund-moved.js";
import type { OpenRefund, Refund } from "./refund.js";
import { nextRefundTryAt, scheduleRefund } from "./refund-schedule.js";
import { emitAlarm } from "../orders/order-alarm.js";

type RefusalPorts = Pick<Ports, "orders" | "refunds" | "clock" | "observer" | "policy">;

/** A refusal of a refund that the wallet has no record of. */
export interface Refusal extends Pick<WalletRejected, "reason" | "trusted" | "detail" | "remedy"> {
  /** Whether the wallet signed that it has no record of the refund. */
  readonly absenceTrusted: boolean;
  /** When the refund request was sent, epoch milliseconds. */
  readonly calledAt: number;
}

/** The refund after a refusal. `definite` is false while the refusal has not taken effect. */
interface AfterRefusal {
  readonly refund: Refund;
  readonly definite: boolean;
}

/**
 * Applies the wallet's refusal of a refund that the wallet has no record of.
 *
 * The refund fails at once if the wallet signed both the refusal and the answer that it has no
 * record of the refund. Otherwise it fails only if the wallet still refuses it after the period
 * `policy.unsignedRefusalDelay`, which begins with the first refusal. If the wallet refuses because
 * of missing money, the refund becomes WAITING_FOR_FUNDS. Its alarm contains the remedy, and the
 * reconciler retries the refund under the same number. If the wallet has accepted the refund in the
 * meantime, the refund does not change.
 *
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/unsigned-refusals.md |
 *   An unsigned refusal takes effect only after a delay}
 */
export function applyRefusal(
  ports: RefusalPorts,
  order: Order,
  refund: OpenRefund,
  refusal: Refusal,
): ResultAsync<AfterRefusal, StorageFailure> {
  return attempt(async () => {
    const { reason, trusted, absenceTrusted, detail, calledAt } = refusal;
    if (reason === "funds")
      return waitForFunds(ports, order, refund, refusal).map((waiting) => ({
        refund: waiting,
        definite: true,
      }));
    if (!trusted || !absenceTrusted) {
      const firstAt = await firstRefusalAt(ports, order, refund, detail);
      if (firstAt.isErr()) return firstAt;
      const conclusiveAt = firstAt.value + ports.policy.unsignedRefusalDelay;
      if (conclusiveAt > calledAt) {
        const scheduled = await scheduleRefund(ports, order, refund, { alsoAt: conclusiveAt });
        if (scheduled.isErr()) return scheduled;
        const current = await reloadRefund(ports, order, refund);
        if (current.isErr()) return current;
        return ok({ refund: current.value, definite: false });
      }
    }
    // Another call for this refund may have been accepted in the meantime.
    const outcome = await failRefund(ports, order, refund, { refusal: detail, unlessAccepted: true });
    if (outcome.isErr()) return outcome;
    const scheduled = await scheduleRefund(ports, order, outcome.value);
    if (scheduled.isErr()) return scheduled;
    return ok({ refund: outcome.value, definite: true });
  });
}

/**
 * Returns when the wallet first refused without both signatures, since the refund got its status.
 *
 * If the current refusal is the first one, it is recorded on the timeline.
 */
function firstRefusalAt(
  ports: Pick<Ports, "orders" | "clock">,
  order: Order,
  { refundNo, gmtModified }: Refund,
  detail: string,
): ResultAsync<number, StorageFailure> {
  const evidence = `${refundNo} ${String(gmtModified)}`;
  const entry: TimelineEntry = {
    ...eventWith("REFUND_REFUSED", { refusal: detail }),
    at: ports.clock.now(),
    actor: "wallet",
    evidence,
    alarm: false,
    refundNo,
  };
  const key = keyOf(order);
  return ports.orders
    .record(key, entry)
    .andThen(() => ports.orders.timeline(key))
    .map((events) => {
      const mine = events.filter((event) => event.type === entry.type && event.evidence === evidence);
      return Math.min(entry.at, ...mine.map(({ at }) => at));
    });
}

/**
 * Makes the refund WAITING_FOR_FUNDS because the wallet cannot pay it yet.
 *
 * Raises one alarm when the refund enters the status, and none for later attempts.
 */
function waitForFunds(
  ports: RefusalPorts,
  order: Order,
  refund: OpenRefund,
  { detail, remedy }: Refusal,
): ResultAsync<Refund, StorageFailure> {
  return attempt(async () => {
    if (refund.status === "WAITING_FOR_FUNDS") {
      const scheduled = await scheduleRefund(ports, order, refund);
      if (scheduled.isErr()) return scheduled;
      return reloadRefund(ports, order, refund);
    }
    const at = ports.clock.now();
    const entry: TimelineEntry = {
      ...eventWith("REFUND_WAITING_FOR_FUNDS", {
        amount: refund.amount,
        refusal: detail,
        ...(remedy === undefined ? {} : { remedy }),
      }),
      at,
      actor: "wallet",
      alarm: true,
      refundNo: refund.refundNo,
    };
    const result = await ports.refunds.progress(keyOf(order), refund.refundNo, {
      seen: refund,
      to: "WAITING_FOR_FUNDS",
      nextTryAt: nextRefundTryAt({ gmtModified: at }, at, ports.policy),
      entry,
    });
    if (result.isErr()) return result;
    if (result.value?.moved === true) {
      emitRefundMoved(ports, result.value, "WAITING_FOR_FUNDS");
      emitAlarm(ports, order, entry);
    }
    return ok(result.value?.refund ?? refund);
  });
}
