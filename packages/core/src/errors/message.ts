import { defaultPolicy } from "../policy.js";
import { sourcesFrom } from "../source-from.js";
import type { WireNames } from "../wire-names.js";
import { ERROR_CATALOG, type Message } from "./catalog.js";
import type { Failure } from "./failure.js";
import {
  CODE_TRIES_REASONS,
  IDENTITY_RULES,
  NOT_ADOPTED_RULES,
  PARAMETER_RULES,
  PAY_SOURCE_RULES,
  SMS_QUOTA_REASONS,
  WALLET_FAILURE_KINDS,
} from "./rule-texts.js";

/** The languages of the messages. */
export type Language = keyof Message;

/**
 * Returns the text for `msg`. It never contains a value from the request.
 *
 * @param names - The names of stores and channels on the wire. Defaults to those of the default
 *   policy.
 * @returns the text, in English or Chinese.
 * @example
 * ```ts
 * import { failureMessage } from "@tillkit/core/errors";
 *
 * const text = failureMessage({ name: "order.not-found" }, "en");
 * ```
 */
export function failureMessage(
  failure: Failure,
  language: Language,
  names: WireNames = defaultPolicy,
): string {
  const { WALLET_A, WALLET_B } = names.payChannelNames;
  const words = failureWords(failure, language, names);
  return ERROR_CATALOG[failure.name].message[language]
    .replace(/\{(\w+)\}/g, (_, word: string) => words[word] ?? "")
    .replace(/\bWALLET_[AB]\b/g, (channel) => (channel === "WALLET_A" ? WALLET_A : WALLET_B));
}

function failureWords(
  failure: Failure,
  language: Language,
  names: WireNames,
): Readonly<Record<string, string>> {
  switch (failure.name) {
    case "parameter.missing":
    case "payer-address.invalid":
      return { parameter: failure.parameter };
    case "parameter.invalid":
      return { parameter: failure.parameter, rule: PARAMETER_RULES[failure.rule][language] };
    case "pay-source.invalid":
      return { rule: PAY_SOURCE_RULES[failure.rule][language] };
    case "customer-identity.forbidden":
      return { rule: IDENTITY_RULES[failure.rule][language] };
    case "auth-code.attempts-exceeded":
      return { reason: CODE_TRIES_REASONS[failure.reason][language] };
    case "sms.quota-exceeded":
      return { reason: SMS_QUOTA_REASONS[failure.reason][language] };
    case "source-from.invalid":
      return { tokens: sourcesFrom(names).join(", ") };
    case "biz-no.conflict":
      return { fields: failure.fields.join(", ") };
    case "wallet-b.failed":
      return { kind: WALLET_FAILURE_KINDS[failure.kind][language] };
    case "refund.exceeds-remaining":
      return { remaining: String(failure.remaining) };
    case "refund-no.conflict":
      return { amount: String(failure.amount) };
    case "refund.status-conflict":
      return { status: failure.status };
    case "refund.not-adopted":
      return { because: NOT_ADOPTED_RULES[failure.because][language] };
    default:
      return {};
  }
}
