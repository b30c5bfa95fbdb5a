import { complain, line } from "../shared/input.js";

/** Wallets take 64 characters, of which the order's number and a hyphen take up to 33. */
const LONGEST_REFUND_NO = 31;

/** A required `refundNo`. */
export function refundNumber() {
  return line(LONGEST_REFUND_NO).refine((text) => /^[0-9A-Za-z_-]*$/.test(text), complain("refund-no"));
}
