import { err, type Result, ResultAsync } from "neverthrow";
import type { FailureOf } from "../errors/failure.js";
import type { PayChannel } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { emit } from "../shared/emit.js";
import type { Wallet, WalletFailure } from "./wallet.js";
import type { WalletCall } from "./wallet-call.js";

/**
 * Calls a wallet and emits the outcome and duration to the observer.
 *
 * If the adapter throws or rejects, the result is `wallet.unknown`.
 */
export function callWallet<T, E extends { readonly name: string } = WalletFailure>(
  ports: Pick<Ports, "wallets" | "clock" | "observer">,
  payChannel: PayChannel,
  call: WalletCall,
  run: (wallet: Wallet) => ResultAsync<T, E>,
): ResultAsync<T, E | WalletFailure> {
  const attempt = async (): Promise<Result<T, E | WalletFailure>> => {
    const startedAt = ports.clock.now();
    const result = await settled(() => run(ports.wallets[payChannel]));
    const durationMs = ports.clock.now() - startedAt;
    emit(ports, {
      type: "wallet.called",
      payChannel,
      call,
      outcome: outcomeOf(result),
      durationMs,
    });
    return result;
  };
  return new ResultAsync(attempt());
}

async function settled<T, E>(run: () => ResultAsync<T, E>): Promise<Result<T, E | WalletFailure>> {
  try {
    return await run();
  } catch {
    return err({ name: "wallet.unknown", cause: "network", detail: "the wallet adapter threw" });
  }
}

function outcomeOf(result: Result<unknown, { readonly name: string }>): "ok" | "rejected" | "unknown" {
  if (result.isOk()) return "ok";
  return result.error.name === "wallet.rejected" ? "rejected" : "unknown";
}

/**
 * Maps a wallet's failure to one of the catalog: codes 30001 to 30003, and 40001 for Alipay.
 *
 * An unsigned absence maps to "bad-answer", like any other unverified response.
 */
export function walletFailure(
  payChannel: PayChannel,
  failure: WalletFailure,
): FailureOf<"wallet-a.rejected" | "wallet-a.unavailable" | "wallet-a.bad-answer" | "wallet-b.failed"> {
  const kind = failureKind(failure);
  return payChannel === "WALLET_A" ? { name: `wallet-a.${kind}` } : { name: "wallet-b.failed", kind };
}

/** Returns whether the wallet reported, without a signature, that it has no record of a number. */
export function isUntrustedAbsence(failure: WalletFailure): boolean {
  return failure.name === "wallet.rejected" && failure.reason === "absent" && !failure.trusted;
}

/** Returns whether the wallet refused the call because of its rate limit. */
export function isRateLimited(failure: WalletFailure): boolean {
  return failure.name === "wallet.unknown" && failure.cause === "rate-limited";
}

function failureKind(failure: WalletFailure): "rejected" | "unavailable" | "bad-answer" {
  if (isUntrustedAbsence(failure)) return "bad-answer";
  if (failure.name === "wallet.rejected") return "rejected";
  return failure.cause === "unverified" ? "bad-answer" : "unavailable";
}
