import { ok, okAsync, type ResultAsync } from "neverthrow";
import { fail, type FailureOf, type StorageFailureName } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import type { WalletAccount } from "./pay-tool.js";

/**
 * Returns the account that takes an order's money, also if new orders use another one.
 *
 * Uses the store's cache for an account whose `signStatus` is `OK`.
 */
export function findOrderAccount(
  ports: Pick<Ports, "payTools">,
  { payToolId }: { readonly payToolId: string },
): ResultAsync<WalletAccount, FailureOf<"pay-tool.not-configured" | StorageFailureName>> {
  const cached = ports.payTools.getCached(payToolId);
  if (cached?.signStatus === "OK") return okAsync(cached);
  return ports.payTools
    .find(payToolId)
    .andThen((account) => (account === undefined ? fail("pay-tool.not-configured") : ok(account)));
}
