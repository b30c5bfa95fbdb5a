import { PAY_CHANNELS } from "@tillkit/core";
import * as z from "zod";
import { countSchema } from "../count-schema.js";
import { cents, time } from "../unit-schemas.js";

const channel = { payChannel: z.enum(PAY_CHANNELS) };

/** Schema of the figures of the business day. */
export const todaySchema = z
  .strictObject({
    at: time().describe("When the figures were read. They may be a few seconds old."),
    day: z.string().describe("The business day, `YYYY-MM-DD`."),
    startsAt: time(),
    money: z
      .array(
        z.strictObject({
          appId: z.string(),
          ...channel,
          taken: cents(),
          refunded: cents(),
          paid: z.int(),
          refunds: z.int(),
          takenBefore: cents().describe("The same weekday a week ago, until the same time of day."),
          refundedBefore: cents(),
        }),
      )
      .readonly(),
    hours: z
      .array(z.strictObject({ start: time(), created: z.int(), paid: z.int() }))
      .readonly()
      .describe("The number of orders created in each hour, and how many of them were paid."),
    pending: z.strictObject({
      total: countSchema,
      oldest: z.strictObject({ appId: z.string(), bizNo: z.string(), gmtCreate: time() }).optional(),
    }),
    alarms: countSchema,
    approvals: countSchema.describe("Refunds that wait for the approval of a second operator."),
    notMade: countSchema.describe(
      "Approved refunds that could not be made, until the alarm about it is acknowledged.",
    ),
    queues: z
      .array(
        z.strictObject({
          name: z.enum(["orders", "refunds", "billExceptions", "events", "parkedEvents"]),
          count: countSchema,
          since: time().optional(),
        }),
      )
      .readonly()
      .optional()
      .describe("The queues of all apps. Absent if the figures are limited to some apps."),
    walletCalls: z
      .array(
        z.strictObject({
          ...channel,
          call: z.string(),
          ok: z.int(),
          rejected: z.int(),
          unknown: z.int(),
          p95: z.int().describe("The 95th percentile of the durations, in milliseconds."),
        }),
      )
      .readonly()
      .optional()
      .describe(
        "Of every app, the last 24 hours in the process that answers. Absent in the figures of some apps.",
      ),
    credentials: z
      .array(
        z.strictObject({
          payToolId: z.string(),
          appId: z.string(),
          ...channel,
          name: z.string(),
          expiresAt: time(),
        }),
      )
      .readonly()
      .describe("Certificates and keys that have expired or expire soon, the earliest first."),
  })
  .meta({ id: "Today" });
