import { err, ok, type ResultAsync } from "neverthrow";
import type { Ports } from "../ports.js";
import { newId } from "../shared/random.js";
import { callWallet, isUnprovenAbsence } from "../wallets/call-wallet.js";
import type { WalletFailure } from "../wallets/wallet.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";

/**
 * Asks the wallet for an order that nobody made. That it says there is none proves what no key can prove by itself: the wallet knows the merchant,
 * takes the account's signature, and, unless it signs no refusals, its answers verify. It changes nothing at the wallet. `wallet.rejected` has the
 * wallet's own words; after `wallet.unknown` nothing is known of the account.
 */
export function askGateway(
  ports: Pick<Ports, "wallets" | "clock" | "random" | "observer" | "policy">,
  account: WalletAccount,
): ResultAsync<void, WalletFailure> {
  const limits = { deadline: ports.policy.walletDeadline };
  return callWallet(ports, account.payChannel, "query", (wallet) =>
    wallet.query(account, newId(ports), limits),
  )
    .map(() => undefined)
    .orElse((failure) => (isUnprovenAbsence(failure) ? ok(undefined) : err(failure)));
}
