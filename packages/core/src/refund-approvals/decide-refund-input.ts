import * as z from "zod";
import { issue, lazySchema, nonBlankText, singleLineText } from "../shared/input.js";

/**
 * Schema of the `seq` of the last event of an order that an operator has seen.
 *
 * @returns the schema of `OrderActivity.seen`. If it is absent, the operator has seen nothing that
 *   others have started for the order.
 */
export const seenInput = () =>
  z
    .int(issue("shape"))
    .min(0, issue("shape"))
    .optional()
    .describe("The `seen` of the activity that the operator has read. Absent: the operator knows of none.");

/** Schema of a decision about a waiting refund: the id of the approval, and the reason. */
export const decideRefundInput = lazySchema(() =>
  z
    .object({ id: singleLineText(64), reason: nonBlankText(200), seen: seenInput() })
    .brand<"DecideRefundInput">(),
);
/** A valid decision: the result of `parseInput(decideRefundInput(), …)`. */
export type DecideRefundInput = z.output<ReturnType<typeof decideRefundInput>>;
