import { ok, type ResultAsync } from "neverthrow";
import type { FailureOf, StorageFailureName } from "../errors/failure.js";
import { attempt } from "../shared/attempt.js";
import { type Order, keyOf } from "./order.js";
import { nextQueryAt, repeatedQueryAt } from "./query-schedule.js";
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
    // The schedule counts from the start of the query, so that a slow response skips no query.
    const calledAt = ports.clock.now();
    const current = await refreshOrder(ports, order, ports.policy.walletDeadline);
    const status = current.isOk() ? current.value.paymentStatus : order.paymentStatus;
    const isWaiting = status === "PENDING" || (status === "CLOSE" && order.paymentStatus === "CLOSE");
    if (!isWaiting) return ok(undefined);
    const next = status === "PENDING" ? nextQueryAt(order, calledAt, ports.policy) : undefined;
    // The last query of the schedule must succeed. If it fails, it is repeated.
    const repeatAt = current.isErr() ? repeatedQueryAt(order, calledAt, ports.policy) : undefined;
    return ports.orders.schedule(keyOf(order), next ?? repeatAt);
  });
}
