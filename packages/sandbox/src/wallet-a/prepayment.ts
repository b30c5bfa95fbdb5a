import type { PlayedSource } from "../ledger-order.js";

const MINUTE = 60_000;
/** How long WALLET_A lets a payment be opened with what it handed out, in milliseconds. */
export const LIFETIMES = {
  APP: 120 * MINUTE,
  NATIVE: 120 * MINUTE,
  H5: 5 * MINUTE,
} as const satisfies Record<PlayedSource, number>;

const H5_PAGE = "https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb";

/** What WALLET_A answers to the request for a prepayment. */
export function prepaymentValues(paySource: PlayedSource, token: string): Readonly<Record<string, string>> {
  switch (paySource) {
    case "APP":
      return { prepay_id: `wx${token}` };
    case "NATIVE":
      return { code_url: `weixin://wxpay/bizpayurl?pr=${token}` };
    case "H5":
      return { h5_url: `${H5_PAGE}?prepay_id=wx${token}&package=${token}` };
  }
}

/** The token in what opens a payment; `undefined` when WALLET_A hands out nothing like it. A page may have its return address added. */
export function tokenOf(paySource: PlayedSource, value: string): string | undefined {
  const patterns = {
    APP: /^wx(\d{24})$/,
    NATIVE: /^weixin:\/\/wxpay\/bizpayurl\?pr=(\d{24})$/,
    H5: /^https:\/\/wx\.tenpay\.com\/cgi-bin\/mmpayweb-bin\/checkmweb\?prepay_id=wx(\d{24})&package=\1(?:&redirect_url=[^&]*)?$/,
  } as const;
  return patterns[paySource].exec(value)?.[1];
}
