/**
 * Where the payment is opened: in an app, in a mobile browser, by scanning a code, inside the wallet's own app
 * (mini-program or in-app browser), or in a desktop browser.
 */
export const PAY_SOURCES = ["APP", "H5", "NATIVE", "JSAPI", "PC"] as const;
/** Where a payment is opened. */
export type PaySource = (typeof PAY_SOURCES)[number];
