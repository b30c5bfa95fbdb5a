import { complain, line } from "../shared/input.js";

/** Wallets take 64 characters. The order's id and a hyphen take up to 33 of them. */
const LONGEST_REFUND_NO = 31;

/** Schema of a `refundNo`: 1 to 31 characters of `[0-9A-Za-z_-]`. */
export function refundNumber() {
  return line(LONGEST_REFUND_NO).refine((text) => /^[0-9A-Za-z_-]*$/.test(text), complain("refund-no"));
}
