import { err, ok, type ResultAsync } from "neverthrow";
import type { Ports } from "../ports.js";
import { newId } from "../shared/random.js";
import { aboutAccount, callWallet, isUntrustedAbsence } from "../wallets/call-wallet.js";
import type { WalletFailure } from "../wallets/wallet.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";

/**
 * Tests an account by querying its wallet about an order that does not exist.
 *
 * The answer "no such order" proves that the wallet knows the merchant and accepts the account's
 * signature. It also proves that Tillkit can verify the wallet's answers, unless the wallet does
 * not sign refusals. The query changes nothing at the wallet.
 *
 * @returns nothing on success. `wallet.rejected` contains the wallet's message. After
 *   `wallet.unknown` nothing is known about the account.
 * @example
 * ```ts
 * import { testAccount } from "@tillkit/core";
 *
 * const stored = await ports.payTools.current("app_1", "WALLET_A");
 * if (stored.isOk() && stored.value !== undefined) {
 *   const answer = await testAccount(ports, stored.value);
 *   console.log(answer.isOk() ? "works" : answer.error.detail);
 * }
 * ```
 */
export function testAccount(
  ports: Pick<Ports, "wallets" | "clock" | "random" | "observer" | "policy">,
  account: WalletAccount,
): ResultAsync<void, WalletFailure> {
  const limits = { deadline: ports.policy.walletDeadline };
  return callWallet(ports, aboutAccount(account), "query", (wallet) =>
    wallet.query(account, newId(ports), limits),
  )
    .map(() => undefined)
    .orElse((failure) => (isUntrustedAbsence(failure) ? ok(undefined) : err(failure)));
}
