import { ok, type Result, type ResultAsync } from "neverthrow";
import { fail, type FailureOf, type StorageFailureName } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import type { PayChannel, WalletAccount } from "./pay-tool.js";
import { cachedFirst, withProvider } from "./with-provider.js";

/** Fails if `signStatus` of a pay tool is `NO`: it takes no payment. */
export function requireReadyPayTool(
  account: WalletAccount,
): Result<WalletAccount, FailureOf<"pay-tool.not-ready">> {
  return account.signStatus === "OK" ? ok(account) : fail("pay-tool.not-ready");
}

/** Returns the account that takes the money of an app's new orders. Fails if it is not ready. */
export function findReadyPayTool(
  { payTools }: Pick<Ports, "payTools">,
  appId: string,
  payChannel: PayChannel,
): ResultAsync<
  WalletAccount,
  FailureOf<"pay-tool.not-configured" | "pay-tool.not-ready" | StorageFailureName>
> {
  return attempt(async () => {
    const cached = payTools.getCachedCurrent(appId, payChannel);
    // A cached account may take money. Only storage decides that there is none or that it is not
    // ready.
    if (cached?.signStatus === "OK") return withProvider(cachedFirst(payTools), cached);
    const current = await payTools.current(appId, payChannel);
    if (current.isErr()) return current;
    if (current.value === undefined) return fail("pay-tool.not-configured");
    return requireReadyPayTool(current.value).asyncAndThen((account) =>
      withProvider(cachedFirst(payTools), account),
    );
  });
}
