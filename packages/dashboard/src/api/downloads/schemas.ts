import * as z from "zod";

const day = () => z.string().describe("`YYYY-MM-DD`.");
const count = () => z.int().min(0);
const counts = () => z.strictObject({ new: count(), update: count() });

/** Schema of download counts by store and period, compared with the period before. */
export const downloadsSchema = z
  .strictObject({
    periods: z
      .array(z.strictObject({ from: day(), until: day() }))
      .readonly()
      .describe("Every period of the range, oldest first. The first and the last one end with the range."),
    stores: z
      .array(
        z.strictObject({
          store: z.string(),
          periods: z
            .array(
              z
                .strictObject({
                  new: count(),
                  update: count(),
                  recordedDays: count().describe("Days with data of at least one app."),
                })
                .nullable(),
            )
            .readonly()
            .describe("One element for each of `periods`. `null` if no day of the period has data."),
          totals: counts(),
          before: counts().describe("The sums of the period before."),
        }),
      )
      .readonly()
      .describe("By name. Stores without data in the range and before it are absent."),
    totals: counts(),
    before: z
      .strictObject({ from: day(), until: day(), new: count(), update: count() })
      .describe("The period of equal length that ends on the day before the range."),
  })
  .meta({ id: "Downloads" });

/** Schema of the days for which each app and store has data. */
export const coverageSchema = z
  .strictObject({
    items: z
      .array(
        z.strictObject({
          appId: z.string(),
          store: z.string(),
          firstDay: day(),
          lastDay: day().describe("The last day with data, `YYYY-MM-DD`."),
          days: count().describe("Days with data."),
          missingDays: count().describe("Days without data between the first and the last day."),
        }),
      )
      .readonly(),
  })
  .meta({ id: "DownloadsCoverage" });

/** Schema of changed days. */
export const changedDaysSchema = z
  .strictObject({
    store: z.string(),
    before: z
      .array(z.strictObject({ date: day(), new: count(), update: count() }))
      .readonly()
      .describe("The counts before, oldest first. Days without data are absent."),
  })
  .meta({ id: "ChangedDays" });
