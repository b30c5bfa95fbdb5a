import type { PayChannel } from "../pay-tools/pay-tool.js";

/**
 * Where the customer opens the payment.
 *
 * - `APP`: in a mobile app.
 * - `H5`: in a mobile browser.
 * - `NATIVE`: by scanning a code.
 * - `JSAPI`: inside the wallet's own app, in a mini-program or the in-app browser.
 * - `PC`: in a desktop browser.
 *
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/payment-payloads.md |
 *   Payloads outside an app use the wallets' own names}
 */
export const PAY_SOURCES = ["APP", "H5", "NATIVE", "JSAPI", "PC"] as const;
/** One of {@link PAY_SOURCES}. */
export type PaySource = (typeof PAY_SOURCES)[number];

/** The `paySource` of a request without one. */
export const DEFAULT_PAY_SOURCE = "APP";

/**
 * Returns whether the wallet supports the `paySource`. WeChat Pay has no page for desktop browsers.
 */
export function isOffered({
  payChannel,
  paySource,
}: {
  readonly payChannel: PayChannel;
  readonly paySource: PaySource;
}): boolean {
  return payChannel !== "WALLET_A" || paySource !== "PC";
}
