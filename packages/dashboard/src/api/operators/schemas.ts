import { OPERATOR_ROLES } from "@tillkit/core";
import * as z from "zod";

/** Schema of an account in answers. It contains no secret. */
export const accountSchema = z
  .strictObject({
    name: z.string(),
    role: z.enum(OPERATOR_ROLES),
    apps: z
      .array(z.string())
      .readonly()
      .optional()
      .describe("The apps that the operator sees. Absent: every app."),
    hasSecondFactor: z.boolean(),
    mustChangePassword: z.boolean(),
    disabled: z.boolean(),
    gmtCreate: z.int().describe("Milliseconds since the Unix epoch."),
    gmtModified: z.int(),
  })
  .meta({ id: "OperatorAccount" });

/** Schema of an account with its generated password. */
export const accountWithPasswordSchema = z
  .strictObject({
    account: accountSchema,
    password: z.string().optional().describe("The generated password. No other answer contains it."),
  })
  .meta({ id: "OperatorAccountWithPassword" });
