import * as z from "zod";

const day = () => z.string().describe("`YYYY-MM-DD`.");
const count = () => z.int().min(0);
const perDay = () => z.array(count()).readonly().describe("One count for each of `days`.");

/** Schema of download counts, compared with the period before. */
export const downloadsSchema = z
  .strictObject({
    days: z.array(day()).readonly().describe("Every day of the range, oldest first."),
    stores: z
      .array(z.strictObject({ store: z.string(), new: perDay(), update: perDay() }))
      .readonly()
      .describe("By name. Stores without a count in the range are absent."),
    totals: z.strictObject({ new: count(), update: count() }),
    before: z
      .strictObject({ from: day(), until: day(), new: count(), update: count() })
      .describe("The period of equal length that ends on the day before the range."),
  })
  .meta({ id: "Downloads" });
