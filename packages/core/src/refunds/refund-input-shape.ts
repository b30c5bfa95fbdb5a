import * as z from "zod";
import { storedBizNo } from "../orders/biz-no.js";
import { issue } from "../shared/input.js";
import { refundNumber } from "./refund-number.js";

/** Returns the members that every input of a refund has. `amount` is in cents. */
export function refundInputShape() {
  return {
    bizNo: storedBizNo(),
    refundNo: refundNumber(),
    amount: z.int(issue("positive-cents")).min(1, issue("positive-cents")).optional(),
  };
}
