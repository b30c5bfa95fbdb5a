import { isId } from "../shared/random.js";

/** The numbers that a merchant's own number at a wallet stands for. */
export interface MerchantNumbers {
  readonly outTradeNo: string;
  readonly refundNo?: string;
}

/** Takes a number apart: that of a refund made here begins with the order's, which has no hyphen. */
export function numbersOf(merchantNo: string): MerchantNumbers {
  const [outTradeNo = ""] = merchantNo.split("-", 1);
  return outTradeNo !== merchantNo && isId(outTradeNo)
    ? { outTradeNo, refundNo: merchantNo }
    : { outTradeNo: merchantNo };
}
