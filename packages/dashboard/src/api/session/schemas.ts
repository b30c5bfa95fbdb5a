import { type Permission, PERMISSIONS } from "@tillkit/core/operators";
import { OPERATOR_ROLES } from "@tillkit/core/ports";
import * as z from "zod";
import { time } from "../unit-schemas.js";

const PERMISSION_NAMES = Object.keys(PERMISSIONS).filter((name): name is Permission =>
  Object.hasOwn(PERMISSIONS, name),
);

/** The members of the schema of an operator. */
export const operatorShape = {
  name: z.string(),
  role: z.enum(OPERATOR_ROLES),
  apps: z
    .array(z.string())
    .readonly()
    .optional()
    .describe("The apps that the operator sees. Absent: every app."),
};

/** Schema of what the page needs to know about the session. */
export const sessionSchema = z
  .strictObject({
    operator: z.strictObject(operatorShape).nullable().describe("Null without a session."),
    csrfToken: z.string().optional().describe("Send it as `X-CSRF-Token` with every change."),
    accounts: z.boolean().describe("Whether operators sign in here. False: the host identifies them."),
    signInUrl: z.string().optional().describe("Where the host lets operators sign in."),
    signOutUrl: z.string().optional().describe("Where the host ends the session."),
    secondFactor: z
      .enum(["none", "required", "enrol"])
      .describe("`required`: enter a code next. `enrol`: set up a second factor next."),
    ownSecondFactor: z
      .enum(["absent", "removable", "permanent"])
      .optional()
      .describe("The second factor of the account. Absent without a complete session of an account."),
    mustChangePassword: z.boolean(),
    permissions: z.array(z.enum(PERMISSION_NAMES)).readonly(),
    now: time().describe("The time of the server."),
    policy: z.strictObject({
      timeZone: z.string().describe("The business time zone, an IANA name."),
      payChannelNames: z.strictObject({ WALLET_A: z.string(), WALLET_B: z.string() }),
      currency: z.literal("CNY"),
    }),
    apps: z
      .array(z.strictObject({ appId: z.string(), name: z.string() }))
      .readonly()
      .describe("The apps that the operator sees."),
  })
  .meta({ id: "Session" });

/** Schema of the key of a new second factor. */
export const enrolmentSchema = z
  .strictObject({
    key: z.string().describe("Base32, for typing."),
    uri: z.string().describe("The `otpauth:` address, for a QR code."),
  })
  .meta({ id: "Enrolment" });
