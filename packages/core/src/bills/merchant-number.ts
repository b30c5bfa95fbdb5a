import { isId } from "../shared/random.js";

/** The order's number and the refund's number that a merchant number contains. */
export interface MerchantNumbers {
  readonly outTradeNo: string;
  readonly refundNo?: string;
}

/**
 * Splits a merchant number: the number that the merchant gave to an order or a refund.
 *
 * The number of a Tillkit refund is the order's number, a hyphen and a suffix. An order's number
 * contains no hyphen.
 */
export function numbersOf(merchantNo: string): MerchantNumbers {
  const [outTradeNo = ""] = merchantNo.split("-", 1);
  return outTradeNo !== merchantNo && isId(outTradeNo)
    ? { outTradeNo, refundNo: merchantNo }
    : { outTradeNo: merchantNo };
}
