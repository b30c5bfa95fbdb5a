import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { fail, type FailureOf } from "../errors/failure.js";
import { isImported } from "../orders/imported-order.js";
import { bizNo, type Order } from "../orders/order.js";
import { requirePending } from "../orders/prepay-order.js";
import {
  closeAtWallet,
  type RefreshFailure,
  refreshOrder,
  type RefreshPorts,
} from "../orders/refresh-order.js";
import { singleLineText, perPolicy } from "../shared/input.js";
import { attempt } from "../shared/attempt.js";
import { accountOf } from "../pay-tools/account-of.js";
import { walletFailure } from "../wallets/call-wallet.js";

type SettleFailure =
  | ReturnType<typeof walletFailure>
  | FailureOf<"order.not-found" | "pay-tool.not-configured" | "storage.unavailable">;

/**
 * Queries the wallet about an order now, for an operator, and returns the updated order.
 *
 * Queries only about a PENDING or CLOSE order, and returns any other order unchanged. A PENDING
 * order whose time to pay is over is closed unless the wallet reports a payment. An imported order
 * is queried with the app's current pay tool.
 *
 * @returns the order as it is now. Fails with `order.not-found`, or with the wallet's failure.
 * @example
 * ```ts
 * import { syncOrder } from "@tillkit/core";
 *
 * const synced = await syncOrder(ports, "app_1", "order-1001");
 * ```
 */
export function syncOrder(
  ports: RefreshPorts,
  appId: string,
  orderBizNo: string,
): ResultAsync<Order, SettleFailure> {
  return attempt(async () => {
    const orderResult = await ports.orders.find({ appId, bizNo: orderBizNo });
    if (orderResult.isErr()) return orderResult;
    const stored = orderResult.value;
    if (stored === undefined) return fail("order.not-found");
    const connected = await connectedOrder(ports, stored);
    if (connected.isErr()) return connected;
    const order = connected.value;
    const refreshed = refreshOrder(ports, order, ports.policy.walletDeadline);
    return refreshed.mapErr((failure) => onWire(order, failure));
  });
}

/** Returns the order. An imported order gets the app's current pay tool, which is not stored. */
async function connectedOrder(ports: Pick<RefreshPorts, "payTools">, order: Order) {
  if (!isImported(order)) return ok(order);
  const current = await ports.payTools.current(order.appId, order.payChannel);
  if (current.isErr()) return current;
  if (current.value === undefined) return fail("pay-tool.not-configured");
  return ok({ ...order, payToolId: current.value.id });
}

/** The parameters of {@link closeOrder}. */
export const closeOrderInput = perPolicy((policy) =>
  z
    .object({
      bizNo: bizNo(policy.maxBizNoLength),
      reason: singleLineText(200),
      operator: singleLineText(64),
    })
    .brand<"CloseOrderInput">(),
);
/** Valid parameters, the output of `parseInput(closeOrderInput(policy), …)`. */
export type CloseOrderInput = z.output<ReturnType<typeof closeOrderInput>>;

/**
 * Closes a PENDING order for an operator, first at the wallet and then in Tillkit.
 *
 * Tillkit closes the order only after the wallet confirms that it is closed or never existed. If
 * the customer has paid meanwhile, the order becomes PAID and is returned.
 *
 * @returns the order. Fails with `order.already-paid`, `order.closed` or `order.refunded` if it is
 *   not PENDING, and with the wallet's failure if the wallet did not confirm.
 * @example
 * ```ts
 * import { closeOrder, closeOrderInput, parseInput } from "@tillkit/core";
 *
 * const request = { bizNo: "biz-1", reason: "ordered twice", operator: "li" };
 * const closed = await parseInput(closeOrderInput(ports.policy), request).asyncAndThen((input) =>
 *   closeOrder(ports, "app_1", input),
 * );
 * ```
 */
export function closeOrder(
  ports: RefreshPorts,
  appId: string,
  { bizNo: orderBizNo, reason, operator }: CloseOrderInput,
): ResultAsync<Order, SettleFailure | FailureOf<"order.already-paid" | "order.closed" | "order.refunded">> {
  return attempt(async () => {
    const orderResult = await ports.orders.find({ appId, bizNo: orderBizNo });
    if (orderResult.isErr()) return orderResult;
    const order = orderResult.value;
    if (order === undefined) return fail("order.not-found");
    const open = requirePending(order);
    if (open.isErr()) return open;
    const accountResult = await accountOf(ports, order);
    if (accountResult.isErr()) return accountResult;
    const account = accountResult.value;
    const by = {
      actor: `operator:${operator}`,
      reason,
      until: ports.clock.now() + ports.policy.walletDeadline,
    };
    const closed = closeAtWallet(ports, order, account, by);
    return closed.mapErr((failure) => onWire(order, failure));
  });
}

function onWire({ payChannel }: Order, failure: RefreshFailure) {
  return failure.name === "wallet.rejected" || failure.name === "wallet.unknown"
    ? walletFailure(payChannel, failure)
    : failure;
}
