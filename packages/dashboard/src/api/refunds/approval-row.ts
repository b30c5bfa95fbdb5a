import { REFUND_APPROVAL_STATES } from "@tillkit/core/ports";
import * as z from "zod";
import { cents, time } from "../unit-schemas.js";

/** Schema of a refund that needs a second operator. */
export const approvalRow = z
  .strictObject({
    id: z.string(),
    appId: z.string(),
    bizNo: z.string(),
    refundNo: z.string(),
    amount: cents(),
    reason: z.string(),
    requestedBy: z.string(),
    requestedAt: time(),
    state: z.enum(REFUND_APPROVAL_STATES),
    decidedBy: z.string().optional(),
    decidedAt: time().optional(),
    note: z.string().optional().describe("The reason of the decision."),
    failure: z.string().optional().describe("Why an approved refund was not made."),
    mine: z.boolean().describe("Whether the sender requested it, and so must not decide."),
  })
  .meta({ id: "RefundApproval" });
