import { type Order, orThrow, type Ports } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import { ResultAsync } from "neverthrow";

/** Returns the `id` of the host's order with this `bizNo`, or `undefined`. */
export type FindOrderId = (bizNo: string) => PromiseLike<string | undefined>;

/**
 * Returns the `id` of the order with this `bizNo`, for `findOrderId` of `openSandbox`.
 *
 * The first of `appIds` that has the order is its app.
 *
 * @returns the id, which is the order's `outTradeNo` at the wallets, or `undefined` if no app has
 *   the order.
 * @example
 * ```ts
 * import { findOrderId, openSandbox } from "@tillkit/sandbox";
 *
 * const sandbox = await openSandbox({
 *   findOrderId: (bizNo) => findOrderId(ports, [appId], bizNo),
 * });
 * ```
 */
export async function findOrderId(
  ports: Pick<Ports, "orders">,
  appIds: readonly string[],
  bizNo: string,
): Promise<string | undefined> {
  return (await orThrow(findOrder(ports, appIds, bizNo)))?.id;
}

/** Returns the order with this `bizNo` of the first of `appIds` that has it. */
export function findOrder(
  ports: Pick<Ports, "orders">,
  appIds: readonly string[],
  bizNo: string,
): ResultAsync<Order | undefined, StorageFailure> {
  return ResultAsync.combine(appIds.map((appId) => ports.orders.find({ appId, bizNo }))).map((orders) =>
    orders.find((stored) => stored !== undefined),
  );
}
