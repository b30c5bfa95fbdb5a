import type { Agent as HttpAgent } from "node:http";
import type { SmsSender } from "@tillkit/core";
import { err, ok } from "neverthrow";
import { failureOfCode } from "../carrier-codes.js";
import { readEndpoint } from "../endpoint.js";
import { fieldOf } from "../field-of.js";
import { loadSdk } from "../load-sdk.js";
import { requireOptions } from "../require-options.js";
import { DEFAULT_DEADLINE, sendOnce } from "../send-once.js";
import { checkedTemplates, templateFor, type Templates } from "../templates.js";
import { validityMinutes } from "../validity-minutes.js";
import { type Autofill, autofillLine, autofillProblem } from "./autofill.js";
import { TWILIO_CODES } from "./twilio-codes.js";

/** The text of a message, and its own sender if it does not use the sender of the options. */
export interface TwilioTemplate {
  /** The text, with `{code}` and optionally `{minutes}`, the validity in whole minutes. */
  readonly text: string;
  /** A number of the account, or a messaging service. */
  readonly sender?: TwilioSender;
  /** Adds a last line to the message, with which phones fill in the code automatically. */
  readonly autofill?: Autofill;
}

/** A number of the account, or a messaging service. */
export type TwilioSender = { readonly from: string } | { readonly messagingServiceSid: string };

/** The options of {@link twilioSmsSender}. */
export interface TwilioOptions extends Templates<TwilioTemplate> {
  /** Starts with `AC`. */
  readonly accountSid: string;
  readonly authToken: string;
  /** The sender of every template without its own sender. */
  readonly sender: TwilioSender;
  /**
   * The public URL to which Twilio sends delivery receipts: the path `/twilio` of
   * `receiptsSurface`. If absent, it sends none.
   */
  readonly statusCallback?: string;
  /** Defaults to `https://api.twilio.com`. */
  readonly endpoint?: string;
  /** Timeout of a request, in milliseconds. Defaults to 10 seconds. */
  readonly deadline?: number;
  /**
   * The agent of all requests, for example one that connects through a proxy.
   *
   * By default the SDK has its own agent, which keeps connections open and uses `HTTP_PROXY`.
   */
  readonly agent?: HttpAgent;
}

const CARRIER = "Twilio";

/** The longest answer that is read, in bytes. Twilio describes a message in about 1 KB. */
const LONGEST_ANSWER = 64 * 1_024;

/**
 * Creates a sender for Twilio Programmable Messaging.
 *
 * Needs the package `twilio`. The SDK sends each request once, and keeps connections open.
 *
 * @returns the sender, for the port `smsSender`. Rejects if the SDK is not installed, and with a
 *   `RangeError` if an option is invalid, for example if `text` has no `{code}`.
 * @example
 * ```ts
 * import { twilioSmsSender } from "@tillkit/sms/twilio";
 *
 * const smsSender = await twilioSmsSender({
 *   accountSid: process.env["TWILIO_ACCOUNT_SID"] ?? "",
 *   authToken: process.env["TWILIO_AUTH_TOKEN"] ?? "",
 *   sender: { from: "+15005550006" },
 *   text: "Your code is {code}. It is valid for {minutes} minutes.",
 * });
 * ```
 */
export async function twilioSmsSender(options: TwilioOptions): Promise<SmsSender> {
  const { accountSid, authToken, sender, statusCallback } = options;
  const { text, autofill, languages, apps } = options;
  const templates: Templates<TwilioTemplate> = {
    text,
    ...(autofill === undefined ? {} : { autofill }),
    ...(languages === undefined ? {} : { languages }),
    ...(apps === undefined ? {} : { apps }),
  };
  const { endpoint = "https://api.twilio.com", deadline = DEFAULT_DEADLINE } = options;
  requireOptions(CARRIER, { accountSid, authToken });
  if (!accountSid.startsWith("AC")) throw new RangeError("The accountSid of Twilio must start with AC.");
  checkTemplates(templates);
  const { secure, host } = readEndpoint(endpoint);
  const { default: twilio } = await loadSdk("twilio", () => import(/* webpackIgnore: true */ "twilio"));
  const http = new twilio.RequestClient({ timeout: deadline, keepAlive: true, autoRetry: false });
  if (options.agent !== undefined)
    Object.assign(http.axios.defaults, { httpAgent: options.agent, httpsAgent: options.agent });
  // The time limit of the SDK ends only a silent connection, and it reads an answer of any length.
  http.axios.interceptors.request.use((config) => {
    config.signal = AbortSignal.timeout(deadline);
    config.maxContentLength = LONGEST_ANSWER;
    return config;
  });
  const origin = `${secure ? "https" : "http"}://${host}`;
  const request = http.request.bind(http);
  http.request = (options) => {
    const { pathname, search } = new URL(options.uri);
    return request({ ...options, uri: `${origin}${pathname}${search}` });
  };
  const client = twilio(accountSid, authToken, { httpClient: http });
  return sendOnce(CARRIER, deadline, async (message) => {
    const template = templateFor(templates, message);
    try {
      const { sid, status } = await client.messages.create({
        to: message.mobileNo,
        ...(template.sender ?? sender),
        body: bodyOf(template, message.authCode, validityMinutes(message.ttl)),
        ...(statusCallback !== undefined && { statusCallback }),
      });
      if (status === "failed") return err({ name: "sms.rejected", detail: `${CARRIER} could not send it` });
      if (typeof sid === "string" && sid !== "") return ok(undefined);
      return err({ name: "sms.unknown", detail: `${CARRIER} answered without a message` });
    } catch (thrown) {
      const status = fieldOf(thrown, "status");
      if (typeof status !== "number") throw thrown;
      const code = fieldOf(thrown, "code");
      if (status < 500 && typeof code === "number") return failureOfCode(CARRIER, String(code), TWILIO_CODES);
      return err({ name: "sms.unknown", detail: `${CARRIER} answered with HTTP ${status}` });
    }
  });
}

/** The longest code and validity that a policy allows: 8 digits and a day. */
const LONGEST_CODE = "00000000";
const LONGEST_VALIDITY = "1440";

/** Throws a `RangeError` if a template has no text with a code, or autofill that cannot work. */
function checkTemplates(templates: Templates<TwilioTemplate>): void {
  const members = { required: ["text"], allowed: ["sender", "autofill"] };
  for (const { place, template } of checkedTemplates(CARRIER, "options", templates, members)) {
    if (!template.text.includes("{code}"))
      throw new RangeError(`The text of a Twilio message must contain {code}: ${place}.`);
    if (template.autofill === undefined) continue;
    const problem = autofillProblem(template.autofill, bodyOf(template, LONGEST_CODE, LONGEST_VALIDITY));
    if (problem !== undefined) throw new RangeError(`The autofill of ${place} ${problem}.`);
  }
}

function bodyOf({ text, autofill = {} }: TwilioTemplate, authCode: string, minutes: string): string {
  const readable = text.replaceAll("{code}", authCode).replaceAll("{minutes}", minutes);
  return `${readable}${autofillLine(autofill, authCode)}`;
}
