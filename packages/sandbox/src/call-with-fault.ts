import type { WalletFailure, WalletUnknown } from "@tillkit/core";
import { errAsync, type ResultAsync } from "neverthrow";
import { type CallFault, isDone } from "./faults.js";

/**
 * Runs `act`, which uses no network, as if it were a call to the wallet under `fault`.
 *
 * Returns at once: a fault such as `hang` or `timeout` adds no delay.
 */
export function callWithFault<T>(
  fault: CallFault | null,
  act: () => ResultAsync<T, WalletFailure>,
): ResultAsync<T, WalletFailure> {
  if (fault === null) return act();
  const lost = () => errAsync<T, WalletFailure>(failureUnder(fault));
  // The caller gets the failure of the fault, whether `act` succeeded or failed.
  return isDone(fault) ? act().andThen(lost).orElse(lost) : lost();
}

function failureUnder(fault: CallFault): WalletFailure {
  return fault === "reject"
    ? {
        name: "wallet.rejected",
        reason: "other",
        trusted: true,
        detail: "a fault of the sandbox refused the call",
      }
    : { name: "wallet.unknown", ...UNKNOWN[fault] };
}

const NO_ANSWER = { cause: "timeout", detail: "no response within the deadline" } as const;
const CUT_OFF = { cause: "network", detail: "the connection was cut" } as const;
const FAILED = { cause: "server-error", detail: "500 SYSTEM_ERROR" } as const;
const UNTRUSTED = { cause: "unverified", detail: "the response has a wrong signature" } as const;
const UNKNOWN = {
  hang: NO_ANSWER,
  timeout: NO_ANSWER,
  reset: CUT_OFF,
  "reset-after": CUT_OFF,
  "429": { cause: "rate-limited", detail: "429 FREQUENCY_LIMITED" },
  "500": FAILED,
  "500-after": FAILED,
  html: { cause: "server-error", detail: "502 with an HTML page" },
  redirect: UNTRUSTED,
  unsigned: UNTRUSTED,
  "bad-signature": UNTRUSTED,
  "retired-key": UNTRUSTED,
  truncated: CUT_OFF,
  slow: NO_ANSWER,
  oversized: UNTRUSTED,
} as const satisfies Record<Exclude<CallFault, "reject">, Pick<WalletUnknown, "cause" | "detail">>;
