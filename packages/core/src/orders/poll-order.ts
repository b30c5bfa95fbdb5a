import { ok, type ResultAsync } from "neverthrow";
import type { FailureOf, StorageFailureName } from "../errors/failure.js";
import type { Policy } from "../policy.js";
import { attempt } from "../shared/attempt.js";
import { DAY } from "../shared/date.js";
import { type Order, keyOf } from "./order.js";
import { refreshOrder, type RefreshPorts } from "./refresh-order.js";
import { reportShipment, type ShipmentPorts } from "./report-shipment.js";

/**
 * Queries the wallet about a due order and schedules the next query.
 *
 * For a PAID order, it reports the shipment instead.
 */
export function pollOrder(
  ports: RefreshPorts & ShipmentPorts,
  order: Order,
): ResultAsync<void, FailureOf<"pay-tool.not-configured" | StorageFailureName>> {
  return attempt(async () => {
    if (order.paymentStatus === "PAID") return reportShipment(ports, order);
    // Counts from the start of the query, so that a slow response skips no moment of the schedule.
    const calledAt = ports.clock.now();
    const current = await refreshOrder(ports, order, ports.policy.walletDeadline);
    const status = current.isOk() ? current.value.paymentStatus : order.paymentStatus;
    const isWaiting = status === "PENDING" || (status === "CLOSE" && order.paymentStatus === "CLOSE");
    if (!isWaiting) return ok(undefined);
    const next = status === "PENDING" ? nextQueryAt(order, calledAt, ports.policy) : undefined;
    // The last query must succeed, so a failed one is repeated.
    const repeatAt = current.isErr() ? repeatedQueryAt(order, calledAt, ports.policy) : undefined;
    return ports.orders.schedule(keyOf(order), next ?? repeatAt);
  });
}

/**
 * Returns when a query that should have been the last one is repeated.
 *
 * The pause is 1/24 of the time since the order became closable: one hour after one day. It is at
 * least `policy.workLease` and at most a day. So an account whose keys were revoked causes few
 * calls.
 */
function repeatedQueryAt(
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
 * The result is the first of the following moments after `calledAt`:
 *
 * - an age of `policy.querySchedule`,
 * - the moment when the order can close on a signed absence,
 * - the moment when the order can close on an unsigned absence.
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
