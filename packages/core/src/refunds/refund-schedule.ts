import { okAsync, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { type Order, keyOf } from "../orders/order.js";
import type { Policy } from "../policy.js";
import type { Ports } from "../ports.js";
import { doublePauseAfterRateLimit } from "./double-pause-after-rate-limit.js";
import { isOpenRefund, type Refund } from "./refund.js";

const DAY = 86_400_000;

/** Circumstances that change the time of the next query about a refund. */
export interface NextTry {
  /** The wallet reported too many calls. Doubles the pause. */
  readonly rateLimited?: boolean;
  /**
   * When an unsigned answer takes effect, or the claim of another caller ends, epoch milliseconds.
   *
   * If this time is earlier than the schedule, the next query happens at this time, but no sooner
   * from now than the first age of the schedule.
   */
  readonly alsoAt?: number;
  /** The wallet's own number of the refund. It is stored together with the time. */
  readonly walletRefundNo?: string;
}

/**
 * Returns when the wallet is queried next about an open refund, in epoch milliseconds.
 *
 * The result follows the ages of `policy.refundSchedule`, counted from when the refund entered its
 * status. After the last age, the last interval repeats.
 *
 * The pause is at least the first age, because WeChat Pay accepts one refund call per minute and
 * order. There is one exception: before the first age has passed, the next query comes at the first
 * age, even after a shorter pause. Without this exception, the time that the sending call takes
 * would skip this query. The claim of the sending call still prevents a second send. The exception
 * does not apply if the wallet reported too many calls.
 */
export function nextRefundTryAt(
  { gmtModified }: Pick<Refund, "gmtModified">,
  now: number,
  { refundSchedule }: Pick<Policy, "refundSchedule">,
  { rateLimited = false, alsoAt }: NextTry = {},
): number {
  const shortest = refundSchedule[0] ?? DAY;
  const age = now - gmtModified;
  const earliest = age < shortest && !rateLimited ? shortest : age + shortest;
  const plan = gmtModified + ageFrom(earliest, refundSchedule);
  const next = alsoAt === undefined ? plan : Math.min(plan, Math.max(alsoAt, now + shortest));
  return rateLimited ? doublePauseAfterRateLimit(next, now) : next;
}

/**
 * Returns how many ages of `policy.refundSchedule` have passed since a refund entered its status.
 *
 * So the result increases from one scheduled query to the next, and no count is stored.
 */
export function passedTries(
  { gmtModified }: Pick<Refund, "gmtModified">,
  now: number,
  { refundSchedule }: Pick<Policy, "refundSchedule">,
): number {
  const age = now - gmtModified;
  const { last, step } = endOf(refundSchedule);
  const steps = refundSchedule.filter((one) => one <= age).length;
  return age < last ? steps : steps + Math.floor((age - last) / step);
}

/** Returns the first age of the schedule that is not before `earliest`. */
function ageFrom(earliest: number, schedule: readonly number[]): number {
  const ahead = schedule.find((age) => age >= earliest);
  if (ahead !== undefined) return ahead;
  const { last, step } = endOf(schedule);
  return last + Math.ceil((earliest - last) / step) * step;
}

/** Returns the last age of a schedule, and the interval that repeats after it. */
function endOf(schedule: readonly number[]) {
  const last = schedule.at(-1) ?? DAY;
  const pause = last - (schedule.at(-2) ?? 0);
  // If the last two ages are equal, there is no interval to repeat.
  return { last, step: pause > 0 ? pause : DAY };
}

/** Schedules the next query about a refund, if the refund is open. */
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
