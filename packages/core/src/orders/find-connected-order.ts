import { err, ok, type Result, type ResultAsync } from "neverthrow";
import { fail, type FailureOf, type StorageFailureName } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { eventWith } from "./event-details.js";
import { isImported } from "./imported-order.js";
import { keyOf, type Order, type OrderKey } from "./order.js";

type ConnectPorts = Pick<Ports, "orders" | "payTools" | "clock">;
type ConnectFailure = FailureOf<"order.not-found" | "pay-tool.not-configured" | StorageFailureName>;

/**
 * Returns an order for an operator's command that calls the wallet.
 *
 * Connects an imported order to the app's current pay tool first. The connection is permanent,
 * because the account that begins a refund must also confirm it. An order that is not imported
 * stays unchanged.
 *
 * @param actor - who runs the command, for the timeline.
 * @returns the order. Fails with `pay-tool.not-configured` if the order is imported and the app has
 *   no pay tool.
 */
export function findConnectedOrder(
  ports: ConnectPorts,
  key: OrderKey,
  actor: string,
): ResultAsync<Order, ConnectFailure> {
  return attempt(async () => {
    const order = await ports.orders.find(key);
    if (order.isErr()) return order;
    if (order.value === undefined) return fail("order.not-found");
    return isImported(order.value) ? connect(ports, order.value, actor) : ok(order.value);
  });
}

/**
 * Like {@link findConnectedOrder}, for a `read` that returns more than the order.
 *
 * After a connection, it calls `read` again, because the connection appends an event.
 */
export function readConnected<R extends { readonly order: Order }, E>(
  ports: ConnectPorts,
  actor: string,
  read: () => ResultAsync<R, E>,
): ResultAsync<R, E | ConnectFailure> {
  return attempt(async (): Promise<Result<R, E | ConnectFailure>> => {
    const record = await read();
    if (record.isErr() || !isImported(record.value.order)) return record;
    const connection = await connect(ports, record.value.order, actor);
    return connection.isErr() ? err(connection.error) : read();
  });
}

/** Connects an imported order to the app's current pay tool. */
function connect(ports: ConnectPorts, order: Order, actor: string): ResultAsync<Order, ConnectFailure> {
  return attempt(async () => {
    const key = keyOf(order);
    const tool = await ports.payTools.current(order.appId, order.payChannel);
    if (tool.isErr()) return tool;
    if (tool.value === undefined) return fail("pay-tool.not-configured");
    const connection = await ports.orders.connect(
      key,
      tool.value.id,
      connectedEntry(ports.clock.now(), actor, tool.value.id),
    );
    return connection.andThen((current) => (current === undefined ? fail("order.not-found") : ok(current)));
  });
}

/** Returns the timeline entry for connecting an imported order to a pay tool. */
export function connectedEntry(at: number, actor: string, payToolId: string) {
  return {
    ...eventWith("CONNECTED", { payToolId }),
    at,
    actor,
    alarm: false,
  } as const;
}
