import { err, ok, type ResultAsync } from "neverthrow";
import type { FailureOf, StorageFailureName } from "../errors/failure.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { aboutOrder, callWallet } from "../wallets/call-wallet.js";
import { limitsUntil } from "../wallets/limits-until.js";
import type { WalletFailure } from "../wallets/wallet.js";
import { applyWalletOrder, type ApplyWalletOrderPorts } from "./apply-wallet-order.js";
import { canCloseOrderUnknownToWallet } from "./can-close-order-unknown-to-wallet.js";
import { isPastExpiryMargin } from "./is-past-expiry-margin.js";
import type { Order } from "./order.js";
import { type Closure, closeTransition, transitionOrder } from "./transition-order.js";

/** Reasons why the order could not be queried or closed at the wallet. */
export type RefreshFailure = WalletFailure | FailureOf<"pay-tool.not-configured" | StorageFailureName>;

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
    const outcome = await callWallet(ports, aboutOrder(order), "close", (wallet) =>
      wallet
        .close(account, order.id, limitsUntil(ports, until))
        .orElse((failure) =>
          canCloseOrderUnknownToWallet(ports.policy, order, failure, calledAt)
            ? ok("absent" as const)
            : err(failure),
        ),
    );
    if (outcome.isErr()) return outcome;
    if (outcome.value === "absent" && !isPastExpiryMargin(ports.policy, order, calledAt)) {
      // The customer may hold a payload that stays valid until it expires. The wallet cannot revoke
      // it.
      const nextQueryAt = order.expiresAt + ports.policy.expiryMargin;
      return closeHere(ports, order, { ...by, details: { atWallet: "not-there-yet" } }, nextQueryAt);
    }
    if (outcome.value !== "paid")
      return closeHere(ports, order, { ...by, details: { atWallet: outcome.value } });
    const statement = await callWallet(ports, aboutOrder(order), "query", (wallet) =>
      wallet.query(account, order.id, limitsUntil(ports, until)),
    );
    if (statement.isErr()) return statement;
    if (statement.value === undefined) return err(CONTRADICTION);
    const verdict = await applyWalletOrder(ports, order, account, statement.value, "query");
    if (verdict.isErr()) return verdict;
    return verdict.value.mismatch || verdict.value.order.paymentStatus === "PENDING"
      ? err(CONTRADICTION)
      : ok(verdict.value.order);
  });
}

const CONTRADICTION: WalletFailure = {
  name: "wallet.unknown",
  cause: "unverified",
  detail: "the wallet reports the order as paid, but its signed data does not confirm that",
};

/** Closes a PENDING order in storage. */
export function closeHere(
  ports: ApplyWalletOrderPorts,
  order: Order,
  closure: Closure,
  nextQueryAt?: number,
) {
  const again = nextQueryAt === undefined ? {} : { nextQueryAt };
  const change = { ...closeTransition(ports.clock.now(), closure), ...again };
  return transitionOrder(ports, order, change).map((result) => result.order);
}
