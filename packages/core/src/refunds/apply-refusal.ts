import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Order } from "../orders/order.js";
import type { TimelineEntry } from "../orders/timeline.js";
import { keyOf, noticeAlarm } from "../orders/transition-order.js";
import type { Ports } from "../ports.js";
import { steps } from "../shared/steps.js";
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
  return steps(async function* () {
    const { reason, proven, absenceProven, detail, askedAt } = refusal;
    if (reason === "funds")
      return ok({ refund: yield* waitForFunds(ports, order, refund, detail), definite: true });
    if (!proven || !absenceProven) {
      const firstAt = yield* firstRefusalAt(ports, order, refund, detail);
      const believedAt = firstAt + ports.policy.unprovenNoPeriod;
      if (believedAt > askedAt) {
        yield* scheduleRefund(ports, order, refund, { alsoAt: believedAt });
        return ok({ refund: yield* heldRefund(ports, order, refund), definite: false });
      }
    }
    // The wallet may have accepted another call for this refund in the meantime.
    const ended = yield* failRefund(ports, order, refund, detail, { unlessAccepted: true });
    yield* scheduleRefund(ports, order, ended);
    return ok({ refund: ended, definite: true });
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
  return steps(async function* () {
    if (refund.status === "WAITING_FOR_FUNDS") {
      yield* scheduleRefund(ports, order, refund);
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
    const result = yield* ports.refunds.progress(keyOf(order), refund.refundNo, {
      seen: refund,
      to: "WAITING_FOR_FUNDS",
      nextTryAt: nextRefundTryAt({ gmtModified: at }, at, ports.policy),
      entry,
    });
    if (result?.moved === true) {
      noticeRefund(ports, result, "WAITING_FOR_FUNDS");
      noticeAlarm(ports, order, entry);
    }
    return ok(result?.refund ?? refund);
  });
}
