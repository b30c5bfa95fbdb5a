import { readFile } from "node:fs/promises";
import type { Observer, SmsSender } from "@tillkit/core";
import type { Surface } from "@tillkit/core/http";
import { failover, receiptsSurface } from "@tillkit/sms";
import { aliyunSmsSender } from "@tillkit/sms/aliyun";
import { tencentSmsSender } from "@tillkit/sms/tencent";
import { twilioSmsSender } from "@tillkit/sms/twilio";
import { z } from "zod";

/** The carriers of the host. */
export interface SmsCarriers {
  readonly smsSender: SmsSender;
  /** Receives the delivery receipts of the carriers. */
  readonly receipts: Surface;
}

const text = z.string().min(1);
const common = { endpoint: text.exactOptional(), deadline: z.int().positive().exactOptional() };
const receiptSecret = text.exactOptional();
const aliyunTemplate = z.strictObject({
  templateCode: text,
  signName: text,
  codeVariable: text.exactOptional(),
  minutesVariable: text.exactOptional(),
});
const tencentTemplate = z.strictObject({
  templateId: text,
  signName: text.exactOptional(),
  senderId: text.exactOptional(),
  parameters: z.array(z.enum(["code", "minutes"])).exactOptional(),
});
const carriersFile = z
  .array(
    z.discriminatedUnion("carrier", [
      z.strictObject({
        carrier: z.literal("aliyun"),
        accessKeyId: text,
        accessKeySecret: text,
        mainland: aliyunTemplate.exactOptional(),
        international: aliyunTemplate.exactOptional(),
        receiptSecret,
        ...common,
      }),
      z.strictObject({
        carrier: z.literal("tencent"),
        secretId: text,
        secretKey: text,
        sdkAppId: text,
        region: text.exactOptional(),
        mainland: tencentTemplate.exactOptional(),
        international: tencentTemplate.exactOptional(),
        receiptSecret,
        ...common,
      }),
      z.strictObject({
        carrier: z.literal("twilio"),
        accountSid: text,
        authToken: text,
        sender: z.union([z.strictObject({ from: text }), z.strictObject({ messagingServiceSid: text })]),
        text,
        statusCallback: z.url().exactOptional(),
        ...common,
      }),
    ]),
  )
  .min(1);

type Carrier = z.output<typeof carriersFile>[number];

/**
 * Opens the carriers of a file. The host tries them in the order of the file.
 *
 * Throws if the file cannot be read or used, or if the SDK of a carrier is not installed. No
 * message contains a value of the file.
 */
export async function openSmsCarriers(
  path: string | undefined,
  observer: Observer,
): Promise<SmsCarriers | undefined> {
  if (path === undefined) return undefined;
  const read = carriersFile.safeParse(await readJson(path));
  if (!read.success) {
    const fields = read.error.issues.map((issue) => issue.path.join(".")).join(", ");
    throw new Error(`SMS_CARRIERS_FILE is wrong. Check these fields: ${fields}`);
  }
  const carriers = read.data;
  const senders = await Promise.all(carriers.map(openCarrier));
  const secretOf = (name: "aliyun" | "tencent") => {
    const found = carriers.find(({ carrier }) => carrier === name);
    return found === undefined || found.carrier === "twilio" ? undefined : found.receiptSecret;
  };
  const [aliyun, tencent] = [secretOf("aliyun"), secretOf("tencent")];
  const twilio = carriers.find(({ carrier }) => carrier === "twilio");
  return {
    smsSender: failover(senders),
    receipts: receiptsSurface({
      observer,
      ...(aliyun !== undefined && { aliyun: { secret: aliyun } }),
      ...(tencent !== undefined && { tencent: { secret: tencent } }),
      ...(twilio?.carrier === "twilio" &&
        twilio.statusCallback !== undefined && {
          twilio: { authToken: twilio.authToken, url: twilio.statusCallback },
        }),
    }),
  };
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch {
    throw new Error("SMS_CARRIERS_FILE cannot be read as JSON.");
  }
}

function openCarrier(carrier: Carrier): Promise<SmsSender> {
  switch (carrier.carrier) {
    case "aliyun":
      return aliyunSmsSender(carrier);
    case "tencent":
      return tencentSmsSender(carrier);
    case "twilio":
      return twilioSmsSender(carrier);
  }
}
