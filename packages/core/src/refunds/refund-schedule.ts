import { okAsync, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Order } from "../orders/order.js";
import { keyOf } from "../orders/transition-order.js";
import type { Policy } from "../policy.js";
import type { Ports } from "../ports.js";
import { isOpenRefund, type Refund } from "./refund.js";

const DAY = 86_400_000;

/** What moves the next question about a refund. */
export interface NextTry {
  /** The wallet answered "too many calls": the pause is doubled. */
  readonly rateLimited?: boolean;
  /** A moment at which an answer will count for more; the question comes then if that is sooner. */
  readonly alsoAt?: number;
  /** The wallet's own number of the refund, which is stored with the time. */
  readonly walletRefundNo?: string;
}

/**
 * Returns when the wallet is asked about an open refund after `now`: at the next age of
 * `policy.refundSchedule`, counted from when the refund entered its present status. Two questions
 * are never closer than the first age, because WeChat Pay takes one refund call a minute and order.
 */
export function nextRefundTryAt(
  { gmtModified }: Pick<Refund, "gmtModified">,
  now: number,
  { refundSchedule }: Pick<Policy, "refundSchedule">,
  { rateLimited = false, alsoAt }: NextTry = {},
): number {
  const shortest = refundSchedule[0] ?? DAY;
  const planned = gmtModified + ageFrom(now - gmtModified + shortest, refundSchedule);
  const next = alsoAt === undefined ? planned : Math.min(planned, Math.max(alsoAt, now + shortest));
  return rateLimited ? next + (next - now) : next;
}

/** The first age of the schedule that is not before `earliest`. */
function ageFrom(earliest: number, schedule: readonly number[]): number {
  const ahead = schedule.find((age) => age >= earliest);
  if (ahead !== undefined) return ahead;
  const last = schedule.at(-1) ?? DAY;
  const pause = last - (schedule.at(-2) ?? 0);
  // A schedule that ends with equal ages has no pause to repeat.
  const step = pause > 0 ? pause : DAY;
  return last + Math.ceil((earliest - last) / step) * step;
}

/** Sets when a refund is pursued next, if it is open. */
export function scheduleRefund(
  ports: Pick<Ports, "refunds" | "clock" | "policy">,
  order: Order,
  refund: Refund,
  next?: NextTry,
): ResultAsync<void, StorageFailure> {
  if (!isOpenRefund(refund)) return okAsync(undefined);
  const at = nextRefundTryAt(refund, ports.clock.now(), ports.policy, next);
  return ports.refunds.schedule(keyOf(order), refund.refundNo, at, next?.walletRefundNo);
}
