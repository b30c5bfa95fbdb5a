import { issue, singleLineText } from "../shared/input.js";

/**
 * Wallets accept 64 characters, of which WeChat Pay's longest `out_trade_no` and a hyphen take 33.
 */
const LONGEST_REFUND_NO = 31;
const CHARACTERS = /^[0-9A-Za-z_-]*$/;

/** Returns whether a text is a `refundNo` that a caller may choose. */
export function isRefundNo(text: string): boolean {
  return text.length >= 1 && text.length <= LONGEST_REFUND_NO && CHARACTERS.test(text);
}

/** Schema of a `refundNo`: 1 to 31 characters of `[0-9A-Za-z_-]`. */
export function refundNumber() {
  return singleLineText(LONGEST_REFUND_NO).refine((text) => CHARACTERS.test(text), issue("refund-no"));
}
