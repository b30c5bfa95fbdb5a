import type { PayChannel } from "../pay-tools/pay-tool.js";
import type { Policy } from "../policy.js";
import { forbiddenIdentity } from "./identity-rules.js";
import type { PaySource } from "../wallets/pay-source.js";

/** The parts of a creation request that decide how the payment is opened. */
interface Opening {
  readonly payChannel: PayChannel;
  readonly paySource: PaySource;
  readonly payerId?: string | undefined;
}

/** The `paySource` of a request without one. `PAY_SOURCES` lists the accepted values. */
export const DEFAULT_PAY_SOURCE = "APP";

/** An Alipay user id (16 digits that begin with 2088), or an open id (never digits alone). */
const ALIPAY_PAYER = /^(2088\d{12}|(?!\d+$)[A-Za-z0-9_-]+)$/;

const PERSONAL_DATA = { identityChecks: { email: true, phone: true, card: false } } as const;

/**
 * Returns whether the wallet supports the `paySource`. WeChat Pay has no page for desktop browsers.
 */
export function isOffered({ payChannel, paySource }: Opening): boolean {
  return payChannel !== "WALLET_A" || paySource !== "PC";
}

/**
 * Returns whether the payment is bound to one customer, so that the wallet needs the customer's id.
 */
export function needsPayerId({ paySource }: Pick<Opening, "paySource">): boolean {
  return paySource === "JSAPI";
}

/** Returns the `payerId` to store. It is dropped if the wallet does not need it. */
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
  return payChannel === "WALLET_B"
    ? !ALIPAY_PAYER.test(payerId)
    : forbiddenIdentity(PERSONAL_DATA, payerId, policy) !== undefined;
}
