import { err, ok, okAsync, type ResultAsync } from "neverthrow";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { findOrderAccount } from "../pay-tools/find-order-account.js";
import { aboutOrder, callWallet, isUntrustedAbsence } from "../wallets/call-wallet.js";
import { closeAtWallet, closeHere, type RefreshFailure } from "./close-unpaid-order.js";
import { canCloseOrderUnknownToWallet } from "./can-close-order-unknown-to-wallet.js";
import { isPastExpiryMargin } from "./is-past-expiry-margin.js";
import { keyOf, type Order } from "./order.js";
import { applyWalletOrder, type ApplyWalletOrderPorts } from "./apply-wallet-order.js";

/** Ports of {@link refreshOrder}. */
export type RefreshPorts = ApplyWalletOrderPorts & Pick<Ports, "payTools" | "wallets" | "policy">;

/**
 * Queries the wallet about a PENDING or CLOSE order and applies the result.
 *
 * Orders in other statuses are returned unchanged. An expired PENDING order is closed: at the
 * wallet first, then in storage, and only after the wallet confirmed that the order is closed or
 * never existed. If the answer "never existed" is unsigned, the order closes
 * `policy.unsignedRefusalDelay` later.
 *
 * @param deadline - milliseconds for all calls to the wallet together.
 * @returns the order as stored after the call. A PENDING order that the wallet does not know yet is
 *   returned unchanged.
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/order-status.md |
 *   The wallet decides whether an order is paid or closed}
 */
export function refreshOrder(
  ports: RefreshPorts,
  order: Order,
  deadline: number,
): ResultAsync<Order, RefreshFailure> {
  return attempt(async () => {
    if (order.paymentStatus !== "PENDING" && order.paymentStatus !== "CLOSE") return ok(order);
    const account = await findOrderAccount(ports, order);
    if (account.isErr()) return account;
    const calledAt = ports.clock.now();
    const answer = await callWallet(ports, aboutOrder(order), "query", (wallet) =>
      wallet.query(account.value, order.id, { deadline }),
    );
    if (answer.isErr() && !canCloseOrderUnknownToWallet(ports.policy, order, answer.error, calledAt)) {
      // The wallet may not know a PENDING order yet. The last query of a CLOSE order needs a signed
      // response.
      const harmless = isUntrustedAbsence(answer.error) && order.paymentStatus === "PENDING";
      return harmless ? ok(order) : err(answer.error);
    }
    const statement = answer.unwrapOr(undefined);
    if (statement !== undefined) {
      const outcome = await applyWalletOrder(ports, order, account.value, statement, "query");
      if (outcome.isErr()) return outcome;
      const { order: after, mismatch } = outcome.value;
      if (mismatch || after.paymentStatus !== "PENDING") return ok(after);
    }
    if (order.paymentStatus === "CLOSE" || !isPastExpiryMargin(ports.policy, order, calledAt))
      return ok(order);
    if (statement === undefined) {
      const atWallet = answer.isOk() ? "absent" : "absent-unsigned";
      return closeHere(ports, order, { actor: "expiry", details: { atWallet } });
    }
    return closeAtWallet(ports, order, account.value, {
      actor: "expiry",
      until: calledAt + deadline,
    });
  });
}

/**
 * Refreshes a PENDING order if no read has queried the wallet for `policy.refreshInterval`.
 *
 * Only one of several concurrent calls queries the wallet. Orders in other statuses are returned
 * unchanged.
 */
export function refreshIfDue(ports: RefreshPorts, order: Order): ResultAsync<Order, RefreshFailure> {
  if (order.paymentStatus !== "PENDING") return okAsync(order);
  return attempt(async () => {
    const now = ports.clock.now();
    const { refreshInterval, refreshDeadline } = ports.policy;
    if (order.queriedAt !== undefined && now < order.queriedAt + refreshInterval) return ok(order);
    const claim = await ports.orders.claimQuery(keyOf(order), now, refreshInterval);
    if (claim.isErr()) return claim;
    return claim.value ? refreshOrder(ports, order, refreshDeadline) : ok(order);
  });
}
