import { PAY_CHANNELS } from "@tillkit/core";
import * as z from "zod";
import { time } from "../unit-schemas.js";

/** Schema of an app without its secrets. */
export const appSchema = z
  .strictObject({
    appId: z.string(),
    name: z.string(),
    accountBased: z.boolean().describe("Whether customers have accounts."),
    identityChecks: z.strictObject({
      email: z.boolean(),
      phone: z.boolean(),
      card: z.boolean(),
      identityCard: z.boolean(),
      walletAccount: z.boolean(),
      bizNo: z.boolean(),
    }),
    disabled: z.boolean(),
    secrets: z
      .array(z.strictObject({ gmtCreate: time(), expiresAt: time().optional() }))
      .readonly()
      .describe("Newest first. The current secret has no end."),
    gmtCreate: time(),
    gmtModified: time(),
  })
  .meta({ id: "App" });

/** Schema of an app with its new secret. */
export const appWithSecretSchema = z
  .strictObject({
    app: appSchema,
    appSecret: z
      .string()
      .optional()
      .describe("No other answer contains it. Absent in the answer to a repetition: rotate the secret."),
  })
  .meta({ id: "AppWithSecret" });

/** Schema of a pay tool, with the ends of its credentials. */
export const payToolSchema = z
  .strictObject({
    id: z.string(),
    appId: z.string(),
    payChannel: z.enum(PAY_CHANNELS),
    accountId: z.string(),
    walletAppId: z.string(),
    signStatus: z.enum(["OK", "NO"]),
    appEnv: z.enum(["DEV", "PROD"]),
    appName: z.string(),
    appPackageName: z.string(),
    appSignature: z.string(),
    walletOptions: z
      .looseObject({})
      .optional()
      .describe("The options of new orders that give none themselves, by the names of the wallets."),
    isCurrent: z.boolean().describe("Whether new orders use it."),
    problems: z
      .array(z.strictObject({ code: z.string(), text: z.string() }))
      .readonly()
      .describe("Why `signStatus` is `NO`, and which certificates have expired or expire soon."),
    credentials: z
      .array(
        z.strictObject({
          name: z.string(),
          isSet: z.boolean(),
          expiresAt: time().optional().describe("Absent if it is not set, or does not expire."),
        }),
      )
      .readonly()
      .describe("Every credential that the wallet knows. No answer contains a value."),
    gmtModified: time(),
  })
  .meta({ id: "PayToolSetup" });

/** Schema of a service type. */
export const serviceTypeSchema = z
  .strictObject({
    appId: z.string(),
    serviceTypeNo: z.string(),
    serviceName: z.string(),
    durationMs: z.int(),
    gmtCreate: time(),
    retiredAt: time()
      .optional()
      .describe("New orders for the type fail from this time on. Absent while the type is sold."),
  })
  .meta({ id: "ServiceType" });

/** Schema of a downloads client. */
export const downloadsClientSchema = z
  .strictObject({
    clientId: z.string(),
    appId: z.string(),
    dailyLimit: z.int(),
    gmtCreate: time(),
    endsAt: time()
      .optional()
      .describe("The client gets no report from this time on. Absent if there is no such time."),
  })
  .meta({ id: "DownloadsClient" });

/** Schema of a store of download counts. */
export const storeSchema = z
  .strictObject({
    store: z.string().describe("The name in reports."),
    aliases: z.array(z.string()).readonly().describe("Other names, whose counts are counts of the store."),
  })
  .meta({ id: "Store" });

/** Schema of what a merge of two stores would do. */
export const storeMergeSchema = z
  .strictObject({
    into: z.string(),
    movedDays: z.int().min(0).describe("Days whose counts would move, over all apps."),
    daysInBoth: z.int().min(0).describe("Days for which both stores have counts of an app."),
  })
  .meta({ id: "StoreMerge" });

/** Schema of a test number, without the middle of the number and without its code. */
export const testNumberSchema = z
  .strictObject({ mobileNo: z.string(), expiresAt: time().optional() })
  .meta({ id: "TestNumber" });
