import * as z from "zod";
import { lazySchema } from "../../shared/input.js";
import { METRICS_ERRORS } from "./metrics-errors.js";

const count = lazySchema(() => z.int().min(0));
const counts = lazySchema(() => ({
  updateDownloads: count(),
  newDownloads: count(),
  totalDownloads: count(),
}));

/** The members of `usage`: how much of its daily allowance a client has used. */
const usageMembers = lazySchema(() => ({
  dailyLimit: count(),
  usedToday: count(),
  remainingToday: count(),
}));

/** The response schema of a downloads report, for both versions. */
export const downloadsResponse = lazySchema(() => {
  const day = z.iso.date();
  const ofDay = z.strictObject({ date: day, ...counts() }).meta({ id: "DayDownloads" });
  const ofStore = z
    .strictObject({
      store: z.string(),
      ...counts(),
      downloadsArray: z.array(ofDay).optional(),
    })
    .meta({ id: "StoreDownloads" });
  return z
    .strictObject({
      data: z.strictObject({
        result: z.literal("success"),
        usage: z
          .strictObject(usageMembers())
          .describe("The daily allowance, including this request.")
          .meta({ id: "DownloadsUsage" }),
        downloadsData: z.strictObject({
          start: day,
          end: day,
          downloads: z
            .array(ofStore)
            .describe(
              "`All Stores` first, without `downloadsArray`; then each store, by name, with every day of the range.",
            ),
        }),
      }),
    })
    .meta({ id: "DownloadsReport" });
});
/** The body of a downloads report. */
export type DownloadsRecord = z.output<ReturnType<typeof downloadsResponse>>;

/** The response schema of a failed downloads report, for both versions. */
export const downloadsFailureResponse = lazySchema(() =>
  z
    .strictObject({
      data: z.strictObject({
        result: z.literal("error"),
        responseBody: z.string().describe("A text for people. Do not branch on it."),
        errorCode: z
          .enum(Object.values(METRICS_ERRORS).map(({ errorCode }) => errorCode))
          .meta({ id: "DownloadsErrorCode" }),
        ...z.object(usageMembers()).partial().shape,
        resetAt: z.iso.datetime({ offset: true }).optional().describe("When the allowance is reset."),
      }),
    })
    .meta({ id: "DownloadsFailure" }),
);
/** The body of a failed downloads report. */
export type DownloadsFailureRecord = z.output<ReturnType<typeof downloadsFailureResponse>>;
