import { err, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { FailureOf } from "../errors/failure.js";
import { findConnectedOrder } from "../orders/find-connected-order.js";
import { requireConsistentOrder } from "../refunds/order-differences.js";
import { type Order, storedBizNo } from "../orders/order.js";
import { requirePending } from "../orders/prepay-order.js";
import { closeAtWallet, type RefreshPorts } from "../orders/refresh-order.js";
import { findOrderAccount } from "../pay-tools/find-order-account.js";
import { attempt } from "../shared/attempt.js";
import { nonBlankText, perPolicy } from "../shared/input.js";
import { type OperatorFailure, operatorFailure } from "./operator-failure.js";

/** The parameters of {@link closeOrder}. */
export const closeOrderInput = perPolicy(() =>
  z
    .object({
      bizNo: storedBizNo(),
      reason: nonBlankText(200),
      operator: nonBlankText(64),
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
): ResultAsync<
  Order,
  OperatorFailure | FailureOf<"order.already-paid" | "order.closed" | "order.damaged" | "order.refunded">
> {
  return attempt(async () => {
    const actor = `operator:${operator}`;
    const found = await findConnectedOrder(ports, { appId, bizNo: orderBizNo }, actor);
    if (found.isErr()) return found;
    const order = found.value;
    const consistent = await requireConsistentOrder(ports, order);
    if (consistent.isErr()) return err(consistent.error);
    const open = requirePending(order);
    if (open.isErr()) return open;
    const accountResult = await findOrderAccount(ports, order);
    if (accountResult.isErr()) return accountResult;
    const account = accountResult.value;
    const by = {
      actor,
      reason,
      until: ports.clock.now() + ports.policy.walletDeadline,
    };
    const closed = closeAtWallet(ports, order, account, by);
    return closed.mapErr((failure) => operatorFailure(order, failure));
  });
}
