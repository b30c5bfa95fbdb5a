import * as z from "zod";
import { lazySchema, singleLineText } from "../shared/input.js";

/** Schema of a decision about a waiting refund: the id of the approval, and the reason. */
export const decideRefundInput = lazySchema(() =>
  z.object({ id: singleLineText(64), reason: singleLineText(200) }).brand<"DecideRefundInput">(),
);
/** A valid decision: the result of `parseInput(decideRefundInput(), …)`. */
export type DecideRefundInput = z.output<ReturnType<typeof decideRefundInput>>;
