import type { WalletUnknown } from "@tillkit/core";

/** A success that WeChat Pay signed and that does not say what it should. */
export function unreadable(missing: string): WalletUnknown {
  const detail = `the answer is signed, but has no ${missing} that can be read`;
  return { name: "wallet.unknown", cause: "unverified", detail };
}
