import type { ServiceEvent } from "./observer.js";

/**
 * Returns whether a wallet answered that the bill of a day does not exist or is not ready yet.
 *
 * Such an answer is normal, for example for a new account, and needs no warning in a log.
 *
 * @returns false for other calls, and for other refusals.
 * @example
 * ```ts
 * import { isMissingBill, type Observer } from "@tillkit/core";
 *
 * const observer: Observer = {
 *   onEvent: (event) => {
 *     if (event.type === "wallet.called" && !isMissingBill(event)) console.warn(event.detail);
 *   },
 * };
 * ```
 */
export function isMissingBill({ call, reason }: Extract<ServiceEvent, { type: "wallet.called" }>): boolean {
  const isBill = call === "readBill" || call === "readFundFlow";
  return isBill && (reason === "no-bill" || reason === "not-ready");
}
