import * as z from "zod";

/** Schema of a number that was counted up to a limit. */
export const countSchema = z
  .strictObject({
    count: z.int(),
    isLeast: z.boolean().describe("Whether there may be more than `count`. Counting stops at a limit."),
  })
  .meta({ id: "Count" });
