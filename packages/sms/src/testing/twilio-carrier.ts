import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { twilioSmsSender, type TwilioTemplate } from "../twilio/index.js";
import { type TestCarrier, TEST_SECRET } from "./carrier.js";
import { type Answer, openLocalServer } from "./local-server.js";

const ACCOUNT = "AC00000000000000000000000000000001";
const message = z
  .strictObject({
    To: z.string(),
    From: z.string().optional(),
    MessagingServiceSid: z.string().optional(),
    Body: z.string(),
    StatusCallback: z.url(),
  })
  .refine((one) => (one.From === undefined) !== (one.MessagingServiceSid === undefined));

/** Starts a test server that checks Twilio's account, form and basic authentication. */
export async function openTwilioCarrier(): Promise<TestCarrier<{ readonly template?: TwilioTemplate }>> {
  const messages: TestCarrier["messages"] = [];
  const received: TestCarrier["received"] = [];
  let how: Answer | undefined;
  const server = await openLocalServer((request, body) => {
    if (!isAuthentic(request)) return refused(20003, 401);
    const parameters = message.parse(Object.fromEntries(new URLSearchParams(body)));
    received.push(parameters);
    if (how === undefined || typeof how === "string")
      messages.push({ mobileNo: parameters.To, authCode: /\d{6}/.exec(parameters.Body)?.[0] ?? "" });
    return how ?? { status: 201, body: JSON.stringify({ sid: "SM1", status: "queued" }) };
  });
  return {
    ...server,
    messages,
    received,
    refuse: (code, status = code === "20429" ? 429 : 400) => {
      how = refused(Number(code), status);
    },
    answer: (next) => {
      how = next;
    },
    sender: ({ secret = TEST_SECRET, deadline = 60_000, template } = {}) =>
      twilioSmsSender({
        accountSid: ACCOUNT,
        authToken: secret,
        sender: { from: "+15005550006" },
        text: "Code {code}, valid for {minutes} minutes.",
        languages: { en: { text: "Test: {code}" } },
        apps: {
          app_2: {
            text: "二号 {code}",
            sender: { messagingServiceSid: "MG2" },
            autofill: { androidHash: "FA+9qCX9VSu", domain: "two.example" },
            languages: { "zh-Hant": { text: "二號 {code}" } },
          },
        },
        ...template,
        statusCallback: "https://pay.example/receipts/twilio",
        endpoint: server.origin,
        deadline,
      }),
  };
}

function refused(code: number, status: number): Answer {
  return { status, body: JSON.stringify({ code, message: "m", more_info: "i", status }) };
}

function isAuthentic({ headers, method, url }: IncomingMessage): boolean {
  const credentials = Buffer.from(`${ACCOUNT}:${TEST_SECRET}`).toString("base64");
  return (
    method === "POST" &&
    url === `/2010-04-01/Accounts/${ACCOUNT}/Messages.json` &&
    headers["content-type"] === "application/x-www-form-urlencoded" &&
    headers.authorization === `Basic ${credentials}`
  );
}
