import type { WalletFailure } from "@tillkit/core";

/** What an error code of the mini-program API means for a report. */
export type CodeMeaning =
  /** WeChat has a report of this delivery. */
  | "already-reported"
  /** The payment cannot be shipped now: refunded, finished, or too new. The state tells which. */
  | "not-shippable"
  | "token-refused"
  | "absent"
  | "configuration"
  | "rate-limited"
  | "refused";

/**
 * The codes that a report can be refused with.
 *
 * The official table of `uploadShippingInfo` and the general table of error codes define them. Any
 * other code is a failure of WeChat for Tillkit: the report is repeated, and an alarm names the
 * code.
 */
const MEANINGS: Readonly<Record<number, CodeMeaning>> = {
  // The payment does not exist. WeChat lists a payment some seconds to minutes after it was made.
  10060001: "absent",
  // The delivery is complete, the one correction of a report was used, or nothing changed.
  10060002: "already-reported",
  10060003: "already-reported",
  10060023: "already-reported",
  10060004: "not-shippable",
  // The kind of delivery, its parts, or the description of the goods is not valid.
  10060005: "refused",
  10060006: "refused",
  10060007: "refused",
  10060008: "refused",
  10060009: "refused",
  // The payment does not belong to the openid.
  10060031: "refused",
  // Number and company of a parcel are missing.
  268485226: "refused",
  268485227: "refused",
  // The request is not readable.
  47001: "refused",
  40097: "refused",
  40001: "token-refused",
  40014: "token-refused",
  42001: "token-refused",
  // Wrong app id or secret, a frozen secret, an address that the mini-program does not list.
  40013: "configuration",
  40125: "configuration",
  40164: "configuration",
  40243: "configuration",
  41002: "configuration",
  41004: "configuration",
  // The mini-program has not opened the service, or is banned.
  48001: "configuration",
  48004: "configuration",
  50002: "configuration",
  45009: "rate-limited",
  45011: "rate-limited",
  44990: "rate-limited",
};

/** Returns what a code means. `undefined` for any other code, such as -1 (the system is busy). */
export function meaningOf(code: number): CodeMeaning | undefined {
  return MEANINGS[code];
}

/** Returns the failure of a code, apart from a refused token. */
export function codeFailure(meaning: CodeMeaning | undefined, detail: string): WalletFailure {
  switch (meaning) {
    case "rate-limited":
      return { name: "wallet.unknown", cause: "rate-limited", detail };
    case "absent":
    case "configuration":
      return { name: "wallet.rejected", reason: meaning, trusted: false, detail };
    case "not-shippable":
      return { name: "wallet.rejected", reason: "not-ready", trusted: false, detail };
    case "refused":
      return { name: "wallet.rejected", reason: "other", trusted: false, detail };
    default:
      return { name: "wallet.unknown", cause: "server-error", detail };
  }
}
