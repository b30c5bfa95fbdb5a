import { err, ok, type ResultAsync } from "neverthrow";
import type { FailureOf, StorageFailureName } from "../errors/failure.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import type { Policy } from "../policy.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { findOrderAccount } from "../pay-tools/find-order-account.js";
import { aboutOrder, callWallet, isUntrustedAbsence } from "../wallets/call-wallet.js";
import { limitsUntil } from "../wallets/limits-until.js";
import type { WalletFailure } from "../wallets/wallet.js";
import type { Order } from "./order.js";
import { type Closure, closeTransition, transitionOrder } from "./transition-order.js";
import { applyWalletOrder, type ApplyWalletOrderPorts } from "./apply-wallet-order.js";

/** Ports of {@link refreshOrder}. */
export type RefreshPorts = ApplyWalletOrderPorts & Pick<Ports, "payTools" | "wallets" | "policy">;
/** Reasons why the order could not be queried or closed at the wallet. */
export type RefreshFailure = WalletFailure | FailureOf<"pay-tool.not-configured" | StorageFailureName>;

/**
 * Queries the wallet about a PENDING or CLOSE order and applies the result.
 *
 * Orders in other statuses are returned unchanged. An expired PENDING order is closed: at the
 * wallet first, then in storage, and only after the wallet confirmed that the order is closed or
 * never existed. An unsigned "never existed" closes it `policy.unsignedRefusalDelay` later.
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
    const accountResult = await findOrderAccount(ports, order);
    if (accountResult.isErr()) return accountResult;
    const account = accountResult.value;
    const calledAt = ports.clock.now();
    const answer = await callWallet(ports, aboutOrder(order), "query", (wallet) =>
      wallet.query(account, order.id, { deadline }),
    );
    if (answer.isErr() && !isConclusive(ports.policy, order, answer.error, calledAt)) {
      // The wallet may not know a PENDING order yet. The last query of a CLOSE order needs a signed
      // response.
      const harmless = isUntrustedAbsence(answer.error) && order.paymentStatus === "PENDING";
      return harmless ? ok(order) : err(answer.error);
    }
    const stated = answer.unwrapOr(undefined);
    if (stated !== undefined) {
      const applied = await applyWalletOrder(ports, order, account, stated, "query");
      if (applied.isErr()) return applied;
      const { order: after, mismatch } = applied.value;
      if (mismatch || after.paymentStatus !== "PENDING") return ok(after);
    }
    if (order.paymentStatus === "CLOSE" || !isOver(ports.policy, order, calledAt)) return ok(order);
    if (stated === undefined) {
      const atWallet = answer.isOk() ? "absent" : "absent-unsigned";
      return closeHere(ports, order, { actor: "expiry", details: { atWallet } });
    }
    return closeAtWallet(ports, order, account, {
      actor: "expiry",
      until: calledAt + deadline,
    });
  });
}

/**
 * Closes a PENDING order at the wallet first and then in storage.
 *
 * If the wallet reports the order as paid, the order becomes PAID instead. If the wallet does not
 * know the order yet, the order closes and is queried again once its payload has expired.
 */
export function closeAtWallet(
  ports: ApplyWalletOrderPorts & Pick<Ports, "wallets" | "policy">,
  order: Order,
  account: WalletAccount,
  { until, ...by }: Pick<Closure, "actor" | "reason"> & { readonly until: number },
): ResultAsync<Order, RefreshFailure> {
  return attempt(async () => {
    const calledAt = ports.clock.now();
    const outcomeResult = await callWallet(ports, aboutOrder(order), "close", (wallet) =>
      wallet
        .close(account, order.id, limitsUntil(ports, until))
        .orElse((failure) =>
          isConclusive(ports.policy, order, failure, calledAt) ? ok("absent" as const) : err(failure),
        ),
    );
    if (outcomeResult.isErr()) return outcomeResult;
    const outcome = outcomeResult.value;
    if (outcome === "absent" && !isOver(ports.policy, order, calledAt)) {
      // The customer may hold a payload that stays valid until it expires. The wallet cannot revoke
      // it.
      const nextQueryAt = order.expiresAt + ports.policy.expiryMargin;
      return closeHere(ports, order, { ...by, details: { atWallet: "not-there-yet" } }, nextQueryAt);
    }
    if (outcome !== "paid") return closeHere(ports, order, { ...by, details: { atWallet: outcome } });
    const statedResult = await callWallet(ports, aboutOrder(order), "query", (wallet) =>
      wallet.query(account, order.id, limitsUntil(ports, until)),
    );
    if (statedResult.isErr()) return statedResult;
    const stated = statedResult.value;
    if (stated === undefined) return err(CONTRADICTION);
    const verdictResult = await applyWalletOrder(ports, order, account, stated, "query");
    if (verdictResult.isErr()) return verdictResult;
    const verdict = verdictResult.value;
    return verdict.mismatch || verdict.order.paymentStatus === "PENDING"
      ? err(CONTRADICTION)
      : ok(verdict.order);
  });
}

const CONTRADICTION: WalletFailure = {
  name: "wallet.unknown",
  cause: "unverified",
  detail: "the wallet reports the order as paid, but its signed data does not confirm that",
};

// Uses the time when the query began: if the process stalls, the customer may pay after the
// response.
function isOver({ expiryMargin }: Policy, { expiresAt }: Order, calledAt: number, more = 0): boolean {
  return calledAt >= expiresAt + expiryMargin + more;
}

// Without this, an order would stay open forever at a wallet that signs no refusals.
function isConclusive(policy: Policy, order: Order, failure: WalletFailure, calledAt: number): boolean {
  return isUntrustedAbsence(failure) && isOver(policy, order, calledAt, policy.unsignedRefusalDelay);
}

function closeHere(ports: ApplyWalletOrderPorts, order: Order, closure: Closure, nextQueryAt?: number) {
  const again = nextQueryAt === undefined ? {} : { nextQueryAt };
  const change = { ...closeTransition(ports.clock.now(), closure), ...again };
  return transitionOrder(ports, order, change).map((result) => result.order);
}
