import { REMEDIES } from "@tillkit/core/operators";
import * as z from "zod";
import { time } from "./unit-schemas.js";

const offeredRemedy = z
  .strictObject({
    remedy: z.enum(REMEDIES),
    until: time().optional().describe("Only with `wait`: until when."),
  })
  .meta({ id: "OfferedRemedy" });

/** Schema of what a person can do about an exception, an alarm or a refund. */
export const remediesSchema = z
  .array(offeredRemedy)
  .readonly()
  .describe("What a person can do about it, the best one first. Empty if it needs nothing.");
