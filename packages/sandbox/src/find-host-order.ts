import type { Order, Ports } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import { ResultAsync } from "neverthrow";

/** Returns the order with this `bizNo` of the first app of the host that has one. */
export function findHostOrder(
  ports: Pick<Ports, "apps" | "orders">,
  bizNo: string,
): ResultAsync<Order | undefined, StorageFailure> {
  return ports.apps
    .list()
    .andThen((apps) => ResultAsync.combine(apps.map(({ appId }) => ports.orders.find({ appId, bizNo }))))
    .map((orders) => orders.find((stored) => stored !== undefined));
}
