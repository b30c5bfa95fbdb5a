import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { SmsSender } from "@tillkit/core";
import { err, ok } from "neverthrow";
import { failureOfCode } from "../carrier-codes.js";
import { readEndpoint } from "../endpoint.js";
import { fieldOf } from "../field-of.js";
import { loadSdk } from "../load-sdk.js";
import { mainlandNumber } from "../mainland-number.js";
import { requireOptions, requireTemplates } from "../require-options.js";
import { DEFAULT_DEADLINE, sendOnce } from "../send-once.js";
import { checkedTemplates, templateFor, type Templates } from "../templates.js";
import { validityMinutes } from "../validity-minutes.js";
import { TENCENT_CODES } from "./tencent-codes.js";

/** An approved template and signature of Tencent Cloud SMS. */
export interface TencentTemplate {
  readonly templateId: string;
  /** Required by Tencent Cloud for numbers of mainland China. */
  readonly signName?: string;
  /** The values of the variables `{1}`, `{2}` … of the template. Defaults to the code alone. */
  readonly parameters?: readonly ("code" | "minutes")[];
  /** The sender id of international messages, if the account has its own. */
  readonly senderId?: string;
}

/** The options of {@link tencentSmsSender}. */
export interface TencentOptions {
  readonly secretId: string;
  readonly secretKey: string;
  /** The application's id in the SMS console, such as `1400006666`. */
  readonly sdkAppId: string;
  /** Defaults to `ap-guangzhou`. */
  readonly region?: string;
  /** For numbers of mainland China. If absent, the sender rejects messages to such numbers. */
  readonly mainland?: Templates<TencentTemplate>;
  /** For all other numbers. If absent, the sender rejects messages to such numbers. */
  readonly international?: Templates<TencentTemplate>;
  /** Defaults to `https://sms.tencentcloudapi.com`. */
  readonly endpoint?: string;
  /** Timeout of a request, in milliseconds. Defaults to 10 seconds. */
  readonly deadline?: number;
  /**
   * The agent of all requests, for example one that connects through a proxy.
   *
   * By default the sender has its own agent, which connects directly and keeps connections open.
   */
  readonly agent?: HttpAgent;
}

const CARRIER = "Tencent Cloud";

/** The members that a template must have, and those that it may have. */
const MEMBERS = { required: ["templateId"], allowed: ["signName", "senderId", "parameters"] } as const;

/**
 * Creates a sender for Tencent Cloud SMS (`SendSms`, version 2021-01-11).
 *
 * Needs the package `tencentcloud-sdk-nodejs-sms`. The SDK sends each request once. The sender
 * keeps connections open.
 *
 * @returns the sender, for the port `smsSender`. Rejects if the SDK is not installed, and with a
 *   `RangeError` if an option is invalid.
 * @example
 * ```ts
 * import { tencentSmsSender } from "@tillkit/sms/tencent";
 *
 * const smsSender = await tencentSmsSender({
 *   secretId: process.env["TENCENT_SECRET_ID"] ?? "",
 *   secretKey: process.env["TENCENT_SECRET_KEY"] ?? "",
 *   sdkAppId: "1400006666",
 *   mainland: { templateId: "1110", signName: "Tillkit", parameters: ["code", "minutes"] },
 * });
 * ```
 */
export async function tencentSmsSender(options: TencentOptions): Promise<SmsSender> {
  const { secretId, secretKey, sdkAppId, mainland, international, region = "ap-guangzhou" } = options;
  const { endpoint = "https://sms.tencentcloudapi.com", deadline = DEFAULT_DEADLINE } = options;
  requireOptions(CARRIER, { secretId, secretKey, sdkAppId });
  requireTemplates(CARRIER, { mainland, international });
  for (const [name, templates] of Object.entries({ mainland, international })) {
    if (templates === undefined) continue;
    for (const { place, template } of checkedTemplates(CARRIER, name, templates, MEMBERS))
      if (template.parameters?.includes("code") === false)
        throw new RangeError(`The parameters of ${place} must contain code.`);
  }
  const { secure, host } = readEndpoint(endpoint);
  const { sms } = await loadSdk(
    "tencentcloud-sdk-nodejs-sms",
    () => import(/* webpackIgnore: true */ "tencentcloud-sdk-nodejs-sms/tencentcloud/services/sms/index.js"),
  );
  const { agent = new (secure ? HttpsAgent : HttpAgent)({ keepAlive: true }) } = options;
  /** Creates a client for one request, which shares the open connections. */
  const openClient = () => {
    const httpProfile = {
      endpoint: host,
      protocol: secure ? "https://" : "http://",
      reqTimeout: deadline / 1_000,
      agent,
    };
    // The SDK follows redirects, which would send the message to another address or send it twice.
    // Its HTTP library calls a function in place of the agent for each request. This function
    // throws at the second request, so a redirect fails.
    Reflect.set(httpProfile, "agent", onlyOnce(agent));
    return new sms.v20210111.Client({
      credential: { secretId, secretKey },
      region,
      profile: { httpProfile },
    });
  };
  return sendOnce(CARRIER, deadline, async (message, signal) => {
    const { mobileNo, authCode, ttl } = message;
    const templates = mainlandNumber(mobileNo) === undefined ? international : mainland;
    if (templates === undefined)
      return err({ name: "sms.rejected", detail: `no ${CARRIER} template for this kind of number` });
    const { templateId, signName, senderId, parameters = ["code"] } = templateFor(templates, message);
    const values = { code: authCode, minutes: validityMinutes(ttl) };
    try {
      const request = {
        PhoneNumberSet: [mobileNo],
        SmsSdkAppId: sdkAppId,
        TemplateId: templateId,
        TemplateParamSet: parameters.map((name) => values[name]),
        ...(signName !== undefined && { SignName: signName }),
        ...(senderId !== undefined && { SenderId: senderId }),
      };
      const answer: unknown = await openClient().request("SendSms", request, { signal });
      const code = fieldOf(fieldOf(fieldOf(answer, "SendStatusSet"), "0"), "Code");
      if (code === "Ok") return ok(undefined);
      if (typeof code === "string") return failureOfCode(CARRIER, code, TENCENT_CODES);
      return err({ name: "sms.unknown", detail: `${CARRIER} answered without a status` });
    } catch (thrown) {
      const code = fieldOf(thrown, "code");
      if (typeof code === "string" && code !== "") return failureOfCode(CARRIER, code, TENCENT_CODES);
      const status = fieldOf(thrown, "httpCode");
      if (typeof status !== "number") throw thrown;
      return err({ name: "sms.unknown", detail: `${CARRIER} answered with HTTP ${status}` });
    }
  });
}

/** Returns a function that returns `agent` once, and throws if it is called again. */
function onlyOnce(agent: HttpAgent): () => HttpAgent {
  let isUsed = false;
  return () => {
    if (isUsed) throw new Error("The carrier redirected the request.");
    isUsed = true;
    return agent;
  };
}
