import type { WalletFailure } from "@tillkit/core";

/** What an error code of the mini-program API means for a report. */
export type CodeMeaning =
  /** WeChat has a report of this delivery. */
  | "already-reported"
  /** The payment cannot be shipped now: refunded, finished, or too new. A query shows the state. */
  | "not-shippable"
  /** The time of the report is not valid, or too long ago. Another time may be accepted. */
  | "time-refused"
  | "token-refused"
  | "absent"
  | "configuration"
  | "rate-limited"
  | "refused";

/**
 * The codes that a report can be refused with.
 *
 * The official tables of `uploadShippingInfo` and `getStableAccessToken`, and the general table of
 * error codes, define them. Tillkit treats any other code, such as -1, 10060012 and 10060019
 * (system errors), as a failure of WeChat. Tillkit then repeats the report, and an alarm names the
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
  268485216: "time-refused",
  // The kind of delivery, its parts, or the description of the goods is not valid.
  10060005: "refused",
  10060006: "refused",
  10060007: "refused",
  10060008: "refused",
  10060009: "refused",
  10060014: "refused",
  10060020: "refused",
  10060024: "refused",
  10060025: "refused",
  10060026: "refused",
  // The payment does not belong to the openid.
  10060031: "refused",
  // The numbers of the payment, the kind of delivery, or the number of a parcel is missing.
  268485194: "refused",
  268485195: "refused",
  268485196: "refused",
  268485197: "refused",
  268485224: "refused",
  268485226: "refused",
  268485227: "refused",
  268485228: "refused",
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
  61004: "configuration",
  89501: "configuration",
  89503: "configuration",
  89506: "configuration",
  89507: "configuration",
  // The mini-program has not opened the service, is banned from it, or is frozen.
  48001: "configuration",
  48004: "configuration",
  50002: "configuration",
  // The limits of a day and of a minute.
  45009: "rate-limited",
  45011: "rate-limited",
  44990: "rate-limited",
};

const [WRONG_APP, WRONG_SECRET, NOT_LISTED, NOT_CONFIRMED] = [
  "set walletAppId to the app id of the mini-program",
  "set appSecret to the AppSecret of the mini-program in walletAppId",
  "add the address of this host to the IP whitelist of the mini-program",
  "an administrator of the mini-program must confirm the address of this host",
];

/** What an operator must do about a code. The alarm shows it after WeChat's own text. */
const REMEDIES: Readonly<Record<number, string>> = {
  40001: WRONG_SECRET,
  40013: WRONG_APP,
  40125: WRONG_SECRET,
  40164: NOT_LISTED,
  40243: "unfreeze the AppSecret of the mini-program, which takes effect after 10 minutes",
  41002: WRONG_APP,
  41004: WRONG_SECRET,
  48001: "open the order shipping management of the mini-program, or correct walletAppId",
  48004: "the mini-program is banned from the API; see its messages at mp.weixin.qq.com",
  50002: "the mini-program is frozen or closed; see its messages at mp.weixin.qq.com",
  61004: NOT_LISTED,
  89501: NOT_CONFIRMED,
  89503: NOT_CONFIRMED,
  89506: NOT_CONFIRMED,
  89507: NOT_CONFIRMED,
  10060031: "another customer paid the order than the one in payerId; report it in the mini-program console",
};

/** Returns what a code means. `undefined` for any other code, such as -1 (the system is busy). */
export function meaningOf(code: number): CodeMeaning | undefined {
  return MEANINGS[code];
}

/** Returns the failure of a code. `meaning` must not be `token-refused`. */
export function codeFailure(code: number, meaning: CodeMeaning | undefined, text: string): WalletFailure {
  const remedy = REMEDIES[code];
  const detail = remedy === undefined ? text : `${text}: ${remedy}`;
  switch (meaning) {
    case "rate-limited":
      return { name: "wallet.unknown", cause: "rate-limited", detail };
    case "absent":
    case "configuration":
      return { name: "wallet.rejected", reason: meaning, trusted: false, detail };
    case "not-shippable":
      return { name: "wallet.rejected", reason: "not-ready", trusted: false, detail };
    case "refused":
    case "time-refused":
      return { name: "wallet.rejected", reason: "other", trusted: false, detail };
    default:
      return { name: "wallet.unknown", cause: "server-error", detail };
  }
}
