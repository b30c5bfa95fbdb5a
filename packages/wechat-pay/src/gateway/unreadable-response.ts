import type { WalletUnknown } from "@tillkit/core";

/** Returns the failure for a signed success response that lacks the expected data. */
export function unreadableResponse(missing: string): WalletUnknown {
  const detail = `the response is signed, but has no readable ${missing}`;
  return { name: "wallet.unknown", cause: "unverified", detail };
}
