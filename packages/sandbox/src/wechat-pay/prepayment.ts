/** The ways to pay at the simulated WeChat Pay. */
export const WALLET_A_METHODS = ["APP", "NATIVE", "H5", "JSAPI"] as const;
/** A way to pay at WeChat Pay. */
export type WalletAMethod = (typeof WALLET_A_METHODS)[number];

const MINUTE = 60_000;
/** How long a prepayment of WeChat Pay can open the payment, in milliseconds. */
export const LIFETIMES = {
  APP: 120 * MINUTE,
  NATIVE: 120 * MINUTE,
  H5: 5 * MINUTE,
  JSAPI: 120 * MINUTE,
} as const satisfies Record<WalletAMethod, number>;

const H5_PAGE = "https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb";

/** Returns the members of a prepay response. */
export function prepaymentValues(paySource: WalletAMethod, token: string): Readonly<Record<string, string>> {
  switch (paySource) {
    case "APP":
    case "JSAPI":
      return { prepay_id: `wx${token}` };
    case "NATIVE":
      return { code_url: `weixin://wxpay/bizpayurl?pr=${token}` };
    case "H5":
      return { h5_url: `${H5_PAGE}?prepay_id=wx${token}&package=${token}` };
  }
}

/**
 * Returns the token in a payload of WeChat Pay, or `undefined` if the format is wrong.
 *
 * An `h5_url` may also have the parameter `redirect_url`.
 */
export function tokenOf(paySource: WalletAMethod, value: string): string | undefined {
  const patterns = {
    APP: /^wx(\d{24})$/,
    JSAPI: /^wx(\d{24})$/,
    NATIVE: /^weixin:\/\/wxpay\/bizpayurl\?pr=(\d{24})$/,
    H5: /^https:\/\/wx\.tenpay\.com\/cgi-bin\/mmpayweb-bin\/checkmweb\?prepay_id=wx(\d{24})&package=\1(?:&redirect_url=[^&]*)?$/,
  } as const;
  return patterns[paySource].exec(value)?.[1];
}
