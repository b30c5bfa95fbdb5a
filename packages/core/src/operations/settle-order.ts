import type { ResultAsync } from "neverthrow";
import * as z from "zod";
import { fail, type FailureOf } from "../errors/failure.js";
import { bizNo, type Order } from "../orders/order.js";
import { stillOpen } from "../orders/prepay-order.js";
import {
  closeAtWallet,
  type RefreshFailure,
  refreshOrder,
  type RefreshPorts,
} from "../orders/refresh-order.js";
import { line, perPolicy } from "../shared/input.js";
import { attempt } from "../shared/attempt.js";
import { accountOf } from "../pay-tools/account-of.js";
import { walletFailure } from "../wallets/call-wallet.js";

type SettleFailure =
  | ReturnType<typeof walletFailure>
  | FailureOf<"order.not-found" | "pay-tool.not-configured" | "storage.unavailable">;

/** Asks the wallet about a PENDING order now, for an operator, and returns the order as it is then. */
export function syncOrder(
  ports: RefreshPorts,
  appId: string,
  orderBizNo: string,
): ResultAsync<Order, SettleFailure> {
  return attempt(async () => {
    const orderResult = await ports.orders.find({ appId, bizNo: orderBizNo });
    if (orderResult.isErr()) return orderResult;
    const order = orderResult.value;
    if (order === undefined) return fail("order.not-found");
    const refreshed = refreshOrder(ports, order, ports.policy.walletDeadline);
    return refreshed.mapErr((failure) => onWire(order, failure));
  });
}

/** What an operator says to close an order before its time. */
export const closeOrderInput = perPolicy((policy) =>
  z
    .object({ bizNo: bizNo(policy.maxBizNoLength), reason: line(200), operator: line(64) })
    .brand<"CloseOrderInput">(),
);
/** A valid request to close: what `parseInput(closeOrderInput(policy), …)` returns. */
export type CloseOrderInput = z.output<ReturnType<typeof closeOrderInput>>;

/**
 * Closes a PENDING order, for an operator: at the wallet first, and here only once the wallet says that it is closed or never existed. Had it been paid
 * meanwhile, the order is PAID and that is the answer. Source: BEHAVIOUR, "Orders", state machine.
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
    const open = stillOpen(order);
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
