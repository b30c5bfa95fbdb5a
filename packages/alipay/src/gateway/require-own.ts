import type { WalletAccount, WalletFailure } from "@tillkit/core";
import { ok, type Result } from "neverthrow";
import { unknownOutcome } from "./classify-result.js";
import type { GatewayResponse } from "./read-response.js";

/**
 * Fails if a response names another seller or another app than those of the account.
 *
 * Most responses name neither. `readResponse` has compared the order number.
 */
export function requireOwn(
  { walletAppId, accountId, provider }: WalletAccount,
  answer: GatewayResponse,
): Result<GatewayResponse, WalletFailure> {
  const own = {
    seller_id: accountId,
    app_id: provider?.walletAppId ?? walletAppId,
    auth_app_id: walletAppId,
  };
  const other = Object.entries(own).find(([name, value]) => (answer[name] ?? value) !== value);
  return other === undefined
    ? ok(answer)
    : unknownOutcome("unverified", `the response is about another merchant: ${other[0]} differs`);
}
