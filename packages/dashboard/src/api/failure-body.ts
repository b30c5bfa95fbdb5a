import type { Language } from "@tillkit/core/errors";
import * as z from "zod";
import type { ApiFailure } from "./api-failure.js";
import { activityOf } from "./refunds/rows.js";
import { activitySchema } from "./refunds/schemas.js";

/** The details of some failures that the page shows in addition to the text. */
const failureFacts = {
  parameter: z
    .string()
    .optional()
    .describe("The parameter that is missing or invalid. The page shows the text beside its field."),
  activity: activitySchema
    .optional()
    .describe("For `refund.unseen-activity`: everything that others have started for the order."),
  problems: z
    .array(z.strictObject({ code: z.string(), text: z.string() }))
    .readonly()
    .optional()
    .describe("For `pay-tool.not-working`: what is wrong with the credentials."),
};

/** Schema of the body of every failure. */
export const failureSchema = z
  .strictObject({
    error: z.strictObject({
      name: z.string().describe("The name of the failure, such as `permission.denied`."),
      message: z.string().describe("For the operator, in the language of `Accept-Language`."),
      traceId: z.string(),
      ...failureFacts,
    }),
  })
  .meta({ id: "OperatorFailure" });

type FailureFacts = z.output<z.ZodObject<typeof failureFacts>>;

/** Returns the details of a failure for the page, in the language of the operator. */
export function failureFactsOf(failure: ApiFailure, language: Language): FailureFacts {
  if ("activity" in failure) return { activity: activityOf(failure.activity) };
  if ("problems" in failure)
    return { problems: failure.problems.map(({ code, message }) => ({ code, text: message[language] })) };
  return "parameter" in failure ? { parameter: failure.parameter } : {};
}
