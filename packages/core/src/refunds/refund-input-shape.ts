import * as z from "zod";
import { bizNo } from "../orders/order.js";
import type { Policy } from "../policy.js";
import { issue } from "../shared/input.js";
import { refundNumber } from "./refund-number.js";

/** Returns the members that every input of a refund has. `amount` is in cents. */
export function refundInputShape({ maxBizNoLength }: Pick<Policy, "maxBizNoLength">) {
  return {
    bizNo: bizNo(maxBizNoLength),
    refundNo: refundNumber(),
    amount: z.int(issue("positive-cents")).min(1, issue("positive-cents")).optional(),
  };
}
