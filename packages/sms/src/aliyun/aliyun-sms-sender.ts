import type * as AliyunSdk from "@alicloud/dysmsapi20170525";
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
import { ALIYUN_CODES } from "./aliyun-codes.js";

/** An approved template and signature of Alibaba Cloud SMS. */
export interface AliyunTemplate {
  /** Such as `SMS_154950909`. */
  readonly templateCode: string;
  readonly signName: string;
  /** The variable of the template that receives the code. Defaults to `code`. */
  readonly codeVariable?: string;
  /** The variable that receives the validity in whole minutes. Absent if the template has none. */
  readonly minutesVariable?: string;
}

/** The options of {@link aliyunSmsSender}. */
export interface AliyunOptions {
  readonly accessKeyId: string;
  readonly accessKeySecret: string;
  /** For numbers of mainland China. If absent, the sender rejects messages to such numbers. */
  readonly mainland?: Templates<AliyunTemplate>;
  /** For all other numbers. If absent, the sender rejects messages to such numbers. */
  readonly international?: Templates<AliyunTemplate>;
  /** Defaults to `https://dysmsapi.aliyuncs.com`. */
  readonly endpoint?: string;
  /** Timeout of a request, in milliseconds. Defaults to 10 seconds. */
  readonly deadline?: number;
}

const CARRIER = "Alibaba Cloud";

/** The members that a template must have, and those that it may have. */
const MEMBERS = {
  required: ["templateCode", "signName"],
  allowed: ["codeVariable", "minutesVariable"],
} as const;

/**
 * Creates a sender for Alibaba Cloud SMS (`SendSms`, version 2017-05-25).
 *
 * Needs the packages `@alicloud/dysmsapi20170525` and `@alicloud/openapi-core`. The SDK sends each
 * request once, and keeps connections open.
 *
 * @returns the sender, for the port `smsSender`. Rejects if the SDK is not installed, and with a
 *   `RangeError` if an option is invalid.
 * @example
 * ```ts
 * import { aliyunSmsSender } from "@tillkit/sms/aliyun";
 *
 * const smsSender = await aliyunSmsSender({
 *   accessKeyId: process.env["ALIYUN_ACCESS_KEY_ID"] ?? "",
 *   accessKeySecret: process.env["ALIYUN_ACCESS_KEY_SECRET"] ?? "",
 *   mainland: { templateCode: "SMS_154950909", signName: "Tillkit", minutesVariable: "min" },
 * });
 * ```
 */
export async function aliyunSmsSender(options: AliyunOptions): Promise<SmsSender> {
  const { accessKeyId, accessKeySecret, mainland, international } = options;
  const { endpoint = "https://dysmsapi.aliyuncs.com", deadline = DEFAULT_DEADLINE } = options;
  requireOptions(CARRIER, { accessKeyId, accessKeySecret });
  requireTemplates(CARRIER, { mainland, international });
  for (const [name, templates] of Object.entries({ mainland, international })) {
    if (templates === undefined) continue;
    for (const { place, template } of checkedTemplates(CARRIER, name, templates, MEMBERS))
      if ((template.codeVariable ?? "code") === template.minutesVariable)
        throw new RangeError(`codeVariable and minutesVariable of ${place} must differ.`);
  }
  const { secure, host } = readEndpoint(endpoint);
  const [sdk, core] = await loadSdk("@alicloud/dysmsapi20170525 @alicloud/openapi-core", () =>
    Promise.all([
      import(/* webpackIgnore: true */ "@alicloud/dysmsapi20170525"),
      import(/* webpackIgnore: true */ "@alicloud/openapi-core"),
    ]),
  );
  const config = new core.$OpenApiUtil.Config({
    accessKeyId,
    accessKeySecret,
    endpoint: host,
    protocol: secure ? "HTTPS" : "HTTP",
    connectTimeout: deadline,
    readTimeout: deadline,
  });
  // Node wraps the exports of CommonJS in one more `default` than other loaders do.
  const exported: unknown = sdk.default;
  const Client = isUnwrapped(exported) ? exported : sdk.default.default;
  // No `retryOptions`: without them the SDK sends a request once.
  const client = new Client(config);
  return sendOnce(CARRIER, deadline, async (message) => {
    const { mobileNo, authCode, ttl } = message;
    const national = mainlandNumber(mobileNo);
    const templates = national === undefined ? international : mainland;
    if (templates === undefined)
      return err({ name: "sms.rejected", detail: `no ${CARRIER} template for this kind of number` });
    const {
      templateCode,
      signName,
      codeVariable = "code",
      minutesVariable,
    } = templateFor(templates, message);
    const request = new sdk.SendSmsRequest({
      phoneNumbers: national ?? mobileNo.slice(1),
      signName,
      templateCode,
      templateParam: JSON.stringify({
        [codeVariable]: authCode,
        ...(minutesVariable !== undefined && { [minutesVariable]: validityMinutes(ttl) }),
      }),
    });
    try {
      const { body, statusCode } = await client.sendSms(request);
      if (statusCode !== 200)
        return err({ name: "sms.unknown", detail: `${CARRIER} answered with HTTP ${statusCode}` });
      const code = fieldOf(body, "code");
      if (code === "OK") return ok(undefined);
      if (typeof code === "string") return failureOfCode(CARRIER, code, ALIYUN_CODES);
      return err({ name: "sms.unknown", detail: `${CARRIER} answered without a code` });
    } catch (thrown) {
      const status = fieldOf(thrown, "statusCode");
      const code = fieldOf(thrown, "code");
      if (typeof status !== "number" || typeof code !== "string") throw thrown;
      if (status >= 500)
        return err({ name: "sms.unknown", detail: `${CARRIER} answered with HTTP ${status}` });
      return failureOfCode(CARRIER, code, ALIYUN_CODES);
    }
  });
}

function isUnwrapped(exported: unknown): exported is typeof AliyunSdk.default.default {
  return typeof exported === "function";
}
