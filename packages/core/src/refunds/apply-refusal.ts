import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Order } from "../orders/order.js";
import type { TimelineEntry } from "../orders/timeline.js";
import { keyOf, noticeAlarm } from "../orders/transition-order.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import type { WalletRejected } from "../wallets/wallet.js";
import { failRefund } from "./apply-wallet-refund.js";
import { heldRefund } from "./held-refund.js";
import { noticeRefund } from "./notice-refund.js";
import type { OpenRefund, Refund } from "./refund.js";
import { nextRefundTryAt, scheduleRefund } from "./refund-schedule.js";

type RefusalPorts = Pick<Ports, "orders" | "refunds" | "clock" | "observer" | "policy">;

/** A refusal of a refund that the wallet's book does not have. */
export interface Refusal extends Pick<WalletRejected, "reason" | "proven" | "detail"> {
  /** Whether the wallet signed that it does not have the refund. */
  readonly absenceProven: boolean;
  /** When the refund was sent. */
  readonly askedAt: number;
}

/** The refund after a refusal; `definite` is false while the refusal has to stand. */
interface AfterRefusal {
  readonly refund: Refund;
  readonly definite: boolean;
}

/**
 * Lets a refusal end a refund that the wallet does not know: at once if both are proven, otherwise
 * once it has stood for `policy.unprovenNoPeriod`. A refusal that money can cure ends nothing: the
 * refund is WAITING_FOR_FUNDS, and is tried again under its number. A refund that the wallet has
 * accepted meanwhile stays as it is.
 */
export function applyRefusal(
  ports: RefusalPorts,
  order: Order,
  refund: OpenRefund,
  refusal: Refusal,
): ResultAsync<AfterRefusal, StorageFailure> {
  return attempt(async () => {
    const { reason, proven, absenceProven, detail, askedAt } = refusal;
    if (reason === "funds")
      return waitForFunds(ports, order, refund, detail).map((waiting) => ({
        refund: waiting,
        definite: true,
      }));
    if (!proven || !absenceProven) {
      const firstAtResult = await firstRefusalAt(ports, order, refund, detail);
      if (firstAtResult.isErr()) return firstAtResult;
      const firstAt = firstAtResult.value;
      const believedAt = firstAt + ports.policy.unprovenNoPeriod;
      if (believedAt > askedAt) {
        const scheduled = await scheduleRefund(ports, order, refund, { alsoAt: believedAt });
        if (scheduled.isErr()) return scheduled;
        const held = await heldRefund(ports, order, refund);
        if (held.isErr()) return held;
        return ok({ refund: held.value, definite: false });
      }
    }
    // The wallet may have accepted another call for this refund in the meantime.
    const ended = await failRefund(ports, order, refund, detail, { unlessAccepted: true });
    if (ended.isErr()) return ended;
    const scheduled = await scheduleRefund(ports, order, ended.value);
    if (scheduled.isErr()) return scheduled;
    return ok({ refund: ended.value, definite: true });
  });
}

/** When the first unproven refusal came since the refund entered its status; this one, if there was none before. */
function firstRefusalAt(
  ports: Pick<Ports, "orders" | "clock">,
  order: Order,
  { refundNo, gmtModified }: Refund,
  detail: string,
): ResultAsync<number, StorageFailure> {
  const evidence = `${refundNo} ${String(gmtModified)}`;
  const entry: TimelineEntry = {
    type: "REFUND_REFUSED",
    at: ports.clock.now(),
    actor: "wallet",
    reason: `refund ${refundNo} is refused, and no signature proves it: ${detail}`,
    evidence,
    alarm: false,
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
 * Keeps a refund open that the merchant's balance cannot pay. The alarm is raised once, not with
 * every try.
 */
function waitForFunds(
  ports: RefusalPorts,
  order: Order,
  refund: OpenRefund,
  detail: string,
): ResultAsync<Refund, StorageFailure> {
  return attempt(async () => {
    if (refund.status === "WAITING_FOR_FUNDS") {
      const scheduled = await scheduleRefund(ports, order, refund);
      if (scheduled.isErr()) return scheduled;
      return heldRefund(ports, order, refund);
    }
    const at = ports.clock.now();
    const entry: TimelineEntry = {
      type: "REFUND_WAITING_FOR_FUNDS",
      at,
      actor: "wallet",
      reason: `refund ${refund.refundNo} of ${String(refund.amount)} cents waits, because the merchant's balance at the wallet is too small: top up the account, then it continues (${detail})`,
      alarm: true,
    };
    const progressed = await ports.refunds.progress(keyOf(order), refund.refundNo, {
      seen: refund,
      to: "WAITING_FOR_FUNDS",
      nextTryAt: nextRefundTryAt({ gmtModified: at }, at, ports.policy),
      entry,
    });
    if (progressed.isErr()) return progressed;
    const result = progressed.value;
    if (result?.moved === true) {
      noticeRefund(ports, result, "WAITING_FOR_FUNDS");
      noticeAlarm(ports, order, entry);
    }
    return ok(result?.refund ?? refund);
  });
}
