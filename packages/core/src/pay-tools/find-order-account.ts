import type { ResultAsync } from "neverthrow";
import { fail, type FailureOf, type StorageFailureName } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import type { WalletAccount } from "./pay-tool.js";
import { cachedFirst, withProvider } from "./with-provider.js";

/**
 * Returns the account that takes an order's money, also if new orders use another one.
 *
 * Uses the store's cache for an account whose `signStatus` is `OK`.
 */
export function findOrderAccount(
  ports: Pick<Ports, "payTools">,
  { payToolId }: { readonly payToolId: string },
): ResultAsync<WalletAccount, FailureOf<"pay-tool.not-configured" | StorageFailureName>> {
  return attempt(async () => {
    const payTools = cachedFirst(ports.payTools);
    const account = await payTools.find(payToolId);
    if (account.isErr()) return account;
    return account.value === undefined
      ? fail("pay-tool.not-configured")
      : withProvider(payTools, account.value);
  });
}
