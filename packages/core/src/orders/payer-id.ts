import type { PayChannel } from "../pay-tools/pay-tool.js";
import type { Policy } from "../policy.js";
import { hasEmailAddress } from "../personal-data/email-address.js";
import { isPhoneNumber } from "../personal-data/phone-number.js";
import { readableText } from "../personal-data/readable-text.js";
import type { PaySource } from "../wallets/pay-source.js";

/** The parts of a creation request that decide how the payment is opened. */
export interface Opening {
  readonly payChannel: PayChannel;
  readonly paySource: PaySource;
  readonly payerId?: string | undefined;
}

/** An Alipay user id (16 digits that begin with 2088), or an open id (never digits alone). */
const ALIPAY_PAYER = /^(2088\d{12}|(?!\d+$)[A-Za-z0-9_-]+)$/;

/** Returns whether the wallet needs the customer's id, because only that customer can pay. */
export function needsPayerId({ paySource }: Pick<Opening, "paySource">): boolean {
  return paySource === "JSAPI";
}

/** Returns the `payerId` to store. `undefined` if the wallet does not need one. */
export function payerIdOf(opening: Opening): string | undefined {
  return needsPayerId(opening) ? opening.payerId : undefined;
}

/**
 * Returns whether `payerId` cannot be a customer's id at the wallet.
 *
 * WeChat Pay documents an `openid` only as text of at most 128 characters, so only e-mail addresses
 * and phone numbers are excluded. Alipay documents both forms of its ids.
 */
export function isForeignPayerId({ payChannel, payerId = "" }: Opening, policy: Policy): boolean {
  if (payChannel === "WALLET_B") return !ALIPAY_PAYER.test(payerId);
  const text = readableText(payerId);
  return hasEmailAddress(text) || isPhoneNumber(text, policy);
}
