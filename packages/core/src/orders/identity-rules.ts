import { ok, type Result } from "neverthrow";
import type { App } from "../apps/app.js";
import { fail, type FailureOf } from "../errors/failure.js";
import type { IdentityRule } from "../errors/rule-texts.js";
import { isCardNumber } from "../personal-data/card-number.js";
import { hasEmailAddress } from "../personal-data/email-address.js";
import { hasIdentityCardNumber } from "../personal-data/identity-card.js";
import { isPhoneNumber } from "../personal-data/phone-number.js";
import { readableText } from "../personal-data/readable-text.js";
import { hasWalletAccount } from "../personal-data/wallet-account.js";
import type { Policy } from "../policy.js";

/** An identity, and the parts of the request that it must not repeat. */
export interface SentIdentity {
  readonly customerIdentity: string;
  readonly bizNo?: string | undefined;
  /** The customer's id at the wallet. */
  readonly payerId?: string | undefined;
}

/** Fails if an app with accounts sends no identity, or if a check of the app forbids it. */
export function checkIdentity(
  app: Pick<App, "accountBased" | "identityChecks">,
  { customerIdentity, bizNo, payerId }: Partial<Record<keyof SentIdentity, string | undefined>>,
  policy: Policy,
): Result<void, FailureOf<"customer-identity.required" | "customer-identity.forbidden">> {
  if (customerIdentity === undefined)
    return app.accountBased ? fail("customer-identity.required") : ok(undefined);
  const rule = forbiddenIdentity(app, { customerIdentity, bizNo, payerId }, policy);
  return rule === undefined ? ok(undefined) : fail("customer-identity.forbidden", { rule });
}

/**
 * Returns the rule that a `customerIdentity` breaks, or `undefined`.
 *
 * Only the checks that are enabled for the app run.
 *
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/personal-data.md |
 *   Orders are checked for personal data, and customers can be erased}
 */
export function forbiddenIdentity(
  { identityChecks }: Pick<App, "identityChecks">,
  { customerIdentity, bizNo, payerId }: SentIdentity,
  policy: Policy,
): IdentityRule | undefined {
  const text = readableText(customerIdentity);
  if (identityChecks.email && hasEmailAddress(text)) return "email";
  if (identityChecks.phone && isPhoneNumber(text, policy)) return "phone";
  if (identityChecks.identityCard && hasIdentityCardNumber(text)) return "identityCard";
  if (identityChecks.card && isCardNumber(text)) return "card";
  if (identityChecks.walletAccount && (hasWalletAccount(text) || isSame(text, payerId)))
    return "walletAccount";
  return identityChecks.bizNo && isSame(text, bizNo) ? "bizNo" : undefined;
}

function isSame(text: string, other: string | undefined): boolean {
  return other !== undefined && text.toLowerCase() === readableText(other).toLowerCase();
}
