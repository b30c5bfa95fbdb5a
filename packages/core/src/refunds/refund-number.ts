import { issue, singleLineText } from "../shared/input.js";

/** Wallets take 64 characters. The order's id and a hyphen take up to 33 of them. */
const LONGEST_REFUND_NO = 31;

/** Schema of a `refundNo`: 1 to 31 characters of `[0-9A-Za-z_-]`. */
export function refundNumber() {
  return singleLineText(LONGEST_REFUND_NO).refine(
    (text) => /^[0-9A-Za-z_-]*$/.test(text),
    issue("refund-no"),
  );
}
