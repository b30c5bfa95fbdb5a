import type { Policy } from "../policy.js";

/**
 * Returns how long a claim on a call of a wallet lasts, in milliseconds.
 *
 * The wallet's deadline, and two seconds to store the result.
 */
export function claimLease({ walletDeadline }: Pick<Policy, "walletDeadline">): number {
  return walletDeadline + 2_000;
}
