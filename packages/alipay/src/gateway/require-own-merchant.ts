import type { WalletAccount, WalletFailure } from "@tillkit/core";
import { ok, type Result } from "neverthrow";
import type { CallGateway } from "./call-gateway.js";
import { unknownOutcome } from "./classify-result.js";
import type { GatewayResponse } from "./read-response.js";

/** Wraps calls, so that they fail if a response names another seller or app than the account's. */
export function requireOwnMerchant(call: CallGateway, account: WalletAccount): CallGateway {
  return (request) => call(request).andThen((answer) => requireOwnFacts(account, answer));
}

/**
 * Fails if a response names another merchant or app. Most responses name none.
 *
 * `readResponse` has compared the order number.
 */
function requireOwnFacts(
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
