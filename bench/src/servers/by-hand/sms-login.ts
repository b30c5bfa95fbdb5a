import { betterAuth } from "better-auth";
import { isAPIError } from "better-auth/api";
import express from "express";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { z } from "zod";
import { runAsServer } from "../../harness/run-as-server.js";
import { capturing } from "../../harness/capture.js";
import { shopFacts } from "../../shop/shop-facts.js";
import { betterAuthOptions } from "../better-auth-options.js";
import { answering, poolOf } from "./answering.js";

const mobileNo = z
  .string()
  .regex(/^(\+86)?1[3-9]\d{9}$/)
  .transform((text) => (text.startsWith("+86") ? text : `+86${text}`));
const smsQuery = z.object({ mobileNo });
const authBody = z.object({ mobileNo, authCode: z.string().regex(/^\d{6}$/) });
const DAY_S = 86_400;

/**
 * Serves `/sms.json` and `/auth.json` with better-auth's phone number plugin.
 *
 * rate-limiter-flexible allows five messages a day, on the same database.
 */
runAsServer(async (given) => {
  const facts = shopFacts.extend({ secret: z.string() }).parse(given);
  const pool = poolOf(facts);
  const { around, keep } = capturing();
  const auth = betterAuth(betterAuthOptions(pool, facts.secret, keep));
  const limiter = await new Promise<RateLimiterPostgres>((resolve, reject) => {
    const made = new RateLimiterPostgres(
      { storeClient: pool, storeType: "client", points: 5, duration: DAY_S, tableName: "sms_quota" },
      (failure?: Error) => {
        if (failure === undefined) resolve(made);
        else reject(failure);
      },
    );
  });
  const app = express().use(express.json({ limit: "64kb" }));
  app.get(
    "/pay/sms.json",
    ...answering(facts, smsQuery, async ({ mobileNo: phoneNumber }) => {
      try {
        await limiter.consume(phoneNumber);
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        return { code: 10022, msg: "Too many messages today" };
      }
      await auth.api.sendPhoneNumberOTP({ body: { phoneNumber } });
      return { code: 0, msg: "success", data: "ok" };
    }),
  );
  app.post(
    "/pay/auth.json",
    ...answering(facts, authBody, async ({ mobileNo: phoneNumber, authCode }) => {
      try {
        const { token, user } = await auth.api.verifyPhoneNumber({ body: { phoneNumber, code: authCode } });
        return { code: 0, msg: "success", data: { customerId: user.id, token } };
      } catch (refused) {
        if (!isAPIError(refused)) throw refused;
        return { code: 10020, msg: "The code is wrong" };
      }
    }),
  );
  return around(app);
});
