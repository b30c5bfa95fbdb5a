/**
 * The ways in which a customer can pay at a wallet.
 *
 * `JSAPI` is a mini-program or an in-app browser, `PC` is a desktop browser, and `CODE` is a
 * payment code that the merchant scans.
 */
export const PAYMENT_METHODS = ["APP", "NATIVE", "H5", "JSAPI", "PC", "CODE"] as const;
/** A way to pay. WeChat Pay supports the first four, Alipay supports all of them. */
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];
