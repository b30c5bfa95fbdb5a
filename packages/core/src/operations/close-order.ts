import type { ResultAsync } from "neverthrow";
import * as z from "zod";
import type { FailureOf } from "../errors/failure.js";
import { readConnected } from "../orders/find-connected-order.js";
import { readOrderRecord } from "../refunds/order-differences.js";
import { storedBizNo } from "../orders/biz-no.js";
import type { Order } from "../orders/order.js";
import { requirePending } from "../orders/require-payable.js";
import { closeAtWallet } from "../orders/close-unpaid-order.js";
import type { RefreshPorts } from "../orders/refresh-order.js";
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
 * Tillkit closes the order only after the wallet has closed it, or reports that it does not know
 * the order. An unsigned report counts only after `policy.unsignedRefusalDelay`. If the customer
 * can still pay with the payload, Tillkit queries the wallet again after the payload has expired.
 * If the customer has paid meanwhile, the order becomes PAID and is returned.
 *
 * @returns the order. Fails with `order.already-paid`, `order.closed` or `order.refunded` if it is
 *   not PENDING, and with `order.damaged` if it contradicts its timeline. Fails with the wallet's
 *   failure if the wallet did not confirm.
 * @example
 * ```ts
 * import { parseInput } from "@tillkit/core";
 * import { closeOrder, closeOrderInput } from "@tillkit/core/operators";
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
    const key = { appId, bizNo: orderBizNo };
    const record = await readConnected(ports, actor, () => readOrderRecord(ports, key));
    if (record.isErr()) return record;
    const { order } = record.value;
    const open = requirePending(order);
    if (open.isErr()) return open;
    const account = await findOrderAccount(ports, order);
    if (account.isErr()) return account;
    const by = {
      actor,
      reason,
      until: ports.clock.now() + ports.policy.walletDeadline,
    };
    const closing = closeAtWallet(ports, order, account.value, by);
    return closing.mapErr((failure) => operatorFailure(order, failure));
  });
}
