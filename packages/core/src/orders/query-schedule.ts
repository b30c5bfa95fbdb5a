import type { Policy } from "../policy.js";
import { DAY } from "../shared/date.js";
import type { Order } from "./order.js";

/**
 * Returns when to repeat the last query of the schedule after it failed.
 *
 * The pause is 1/24 of the time since the order became closable, for example one hour after one
 * day. The pause is at least `policy.workLease` and at most a day. So an account whose keys were
 * revoked causes few calls.
 */
export function repeatedQueryAt(
  { expiresAt }: Order,
  calledAt: number,
  { expiryMargin, workLease }: Policy,
): number {
  const late = calledAt - (expiresAt + expiryMargin);
  return calledAt + Math.min(Math.max(Math.floor(late / 24), workLease), DAY);
}

/**
 * Returns when a PENDING order is queried next, or `undefined` if the schedule has ended.
 *
 * The result is the first moment after `calledAt` among: the ages of `policy.querySchedule`, the
 * moment when the order can close on a signed absence, and the moment when it can close on an
 * unsigned absence.
 *
 * @param calledAt - when the last query began, epoch milliseconds.
 */
export function nextQueryAt(
  { gmtCreate, expiresAt }: Pick<Order, "gmtCreate" | "expiresAt">,
  calledAt: number,
  { querySchedule, expiryMargin, unsignedRefusalDelay }: Policy,
): number | undefined {
  const closable = expiresAt + expiryMargin;
  const moments = [...querySchedule.map((age) => gmtCreate + age), closable, closable + unsignedRefusalDelay];
  const ahead = moments.filter((moment) => moment > calledAt);
  return ahead.length === 0 ? undefined : Math.min(...ahead);
}
