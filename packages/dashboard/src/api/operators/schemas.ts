import * as z from "zod";
import { operatorShape } from "../session/schemas.js";

/** Schema of an account in answers. It contains no secret. */
export const accountSchema = z
  .strictObject({
    ...operatorShape,
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
    password: z
      .string()
      .optional()
      .describe(
        "The generated password. No other answer contains it. Absent in the answer to a repetition: reset the account.",
      ),
  })
  .meta({ id: "OperatorAccountWithPassword" });
