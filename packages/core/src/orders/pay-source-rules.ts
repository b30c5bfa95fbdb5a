import type { PayChannel } from "../pay-tools/pay-tool.js";
import type { Policy } from "../policy.js";
import { forbiddenIdentity } from "./identity-rules.js";
import type { PaySource } from "../wallets/pay-source.js";

/** The members of a request for an order that decide how the payment is opened. */
interface Opening {
  readonly payChannel: PayChannel;
  readonly paySource: PaySource;
  readonly payerId?: string | undefined;
}

/** An Alipay user id (16 digits that begin with 2088), or an open id, which is never made of digits alone. */
const ALIPAY_PAYER = /^(2088\d{12}|(?!\d+$)[A-Za-z0-9_-]+)$/;

const PERSONAL_DATA = { identityChecks: { email: true, phone: true, card: false } } as const;

/** Whether the wallet opens payments there. WeChat Pay (WALLET_A) has no page for desktop browsers. */
export function isOffered({ payChannel, paySource }: Opening): boolean {
  return payChannel !== "WALLET_A" || paySource !== "PC";
}

/** Whether the wallet binds the payment to one customer, so that it must be told the customer's id. */
export function needsPayerId({ paySource }: Pick<Opening, "paySource">): boolean {
  return paySource === "JSAPI";
}

/** The `payerId` that belongs to the order. One that the wallet does not need is dropped, so that no record keeps it. */
export function payerIdOf(opening: Opening): string | undefined {
  return needsPayerId(opening) ? opening.payerId : undefined;
}

/**
 * Whether a `payerId` cannot be an id at the wallet.
 *
 * WeChat Pay documents an `openid` only as text of at most 128 characters, so everything but an e-mail address or a
 * phone number passes. Alipay documents both forms of its ids.
 */
export function isForeignPayerId({ payChannel, payerId = "" }: Opening, policy: Policy): boolean {
  return payChannel === "WALLET_B"
    ? !ALIPAY_PAYER.test(payerId)
    : forbiddenIdentity(PERSONAL_DATA, payerId, policy) !== undefined;
}
