import type { WalletFailure, WalletRejected, WalletUnknown } from "@tillkit/core";
import { err, type Result, ResultAsync } from "neverthrow";
import { type CallFault, isDone } from "./faults.js";

/**
 * Does `act` as a wallet far away would under `fault`; `heard` is false when the answer will be lost. A lost answer is unknown at
 * once, which keeps tests short; a wallet that hangs is waited for with `untilDeadline`.
 */
export function faulty<T>(
  fault: CallFault | null,
  untilDeadline: () => Promise<void>,
  act: (heard: boolean) => Result<T, WalletFailure> | ResultAsync<T, WalletFailure>,
): ResultAsync<T, WalletFailure> {
  const attempt = async (): Promise<Result<T, WalletFailure>> => {
    // A turn of the event loop, as on a network: whoever else is under way gets between.
    await new Promise((resolve) => setImmediate(resolve));
    if (fault === null) return await act(true);
    if (fault === "reject") return err(refusal("other", "the sandbox was told to refuse this"));
    if (fault === "hang") await untilDeadline();
    // What it comes to is lost with the answer.
    if (isDone(fault)) (await act(false)).unwrapOr(undefined);
    return err({ name: "wallet.unknown", ...UNKNOWN[fault] });
  };
  return new ResultAsync(attempt());
}

const NO_ANSWER = { cause: "timeout", detail: "no answer within the deadline" } as const;
const CUT_OFF = { cause: "network", detail: "the connection was cut" } as const;
const FAILED = { cause: "server-error", detail: "500 SYSTEM_ERROR" } as const;
const UNPROVEN = { cause: "unverified", detail: "the answer does not prove itself" } as const;
const UNKNOWN = {
  hang: NO_ANSWER,
  timeout: NO_ANSWER,
  reset: CUT_OFF,
  "reset-after": CUT_OFF,
  "429": { cause: "busy", detail: "429 FREQUENCY_LIMITED" },
  "500": FAILED,
  "500-after": FAILED,
  html: { cause: "server-error", detail: "502, a page" },
  redirect: UNPROVEN,
  unsigned: UNPROVEN,
  "bad-signature": UNPROVEN,
  "retired-key": UNPROVEN,
  truncated: CUT_OFF,
  oversized: UNPROVEN,
} as const satisfies Record<Exclude<CallFault, "reject">, Pick<WalletUnknown, "cause" | "detail">>;

/** A definite no. */
export function refusal(reason: WalletRejected["reason"], detail: string): WalletRejected {
  return { name: "wallet.rejected", reason, detail };
}
