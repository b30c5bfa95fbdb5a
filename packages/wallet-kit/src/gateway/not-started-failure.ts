import type { WalletUnknown } from "@tillkit/core";
import type { NotStarted } from "./keyed-limiter.js";

const DETAILS: Readonly<Record<NotStarted, string>> = {
  busy: "too many calls of this merchant are waiting; nothing was sent",
  timeout: "the deadline passed while the call waited for earlier calls of this merchant; nothing was sent",
};

/** Returns the failure of a call that a limiter did not start. */
export function notStartedFailure(cause: NotStarted): WalletUnknown {
  return { name: "wallet.unknown", cause, detail: DETAILS[cause] };
}
