import { formatJsonPath, jsonProblemText, parseStrictJson } from "@tillkit/core/text";
import { readTextFile } from "@tillkit/runtime";
import { z } from "zod";

const text = z.string("must be text").min(1, "must not be empty");
const origin = text.refine(
  (value) => isOrigin(value),
  "must be an https:// origin without a path, such as https://sms.example.com",
);
const deadlineRule = "must be a whole number of milliseconds from 1 to 600000";
const common = {
  endpoint: origin.exactOptional(),
  deadline: z.int(deadlineRule).min(1, deadlineRule).max(600_000, deadlineRule).exactOptional(),
};
const receiptSecret = text
  .regex(/^[\w-]{32,}$/, "must have at least 32 characters of A-Z a-z 0-9 _ -: use openssl rand -hex 32")
  .exactOptional();
const language = z
  .string()
  .regex(/^[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,3}$/i, "must be a language tag, such as en or zh-Hant");
const aliyunTemplate = z.strictObject(
  {
    templateCode: text,
    signName: text,
    codeVariable: text.exactOptional(),
    minutesVariable: text.exactOptional(),
  },
  "must be an object with templateCode and signName",
);
type AliyunTemplate = Pick<z.output<typeof aliyunTemplate>, "codeVariable" | "minutesVariable">;
const variablesDiffer = ({ codeVariable = "code", minutesVariable }: AliyunTemplate) =>
  codeVariable !== minutesVariable;
const mustDiffer = { path: ["minutesVariable"], error: "must differ from codeVariable" };
const tencentTemplate = z.strictObject(
  {
    templateId: text,
    signName: text.exactOptional(),
    senderId: text.exactOptional(),
    parameters: z
      .array(z.enum(["code", "minutes"], "must be code or minutes"), "must be a list")
      .refine((list) => list.includes("code"), "must contain code")
      .exactOptional(),
  },
  "must be an object with templateId",
);
const languagesOf = <Template extends z.ZodType>(template: Template) =>
  z
    .record(language, template)
    .refine((byTag) => !hasDoubled(Object.keys(byTag)), "must not name a language twice")
    .exactOptional();
const appsOf = <Group extends z.ZodType>(group: Group) => z.record(text, group).exactOptional();
const aliyunLanguages = aliyunTemplate.extend({
  languages: languagesOf(aliyunTemplate.refine(variablesDiffer, mustDiffer)),
});
const aliyunTemplates = aliyunLanguages
  .extend({ apps: appsOf(aliyunLanguages.refine(variablesDiffer, mustDiffer)) })
  .refine(variablesDiffer, mustDiffer);
// Tencent Cloud needs the signature for numbers of mainland China.
const tencentMainland = tencentTemplate.extend({ signName: text });
const tencentMainlandLanguages = tencentMainland.extend({ languages: languagesOf(tencentMainland) });
const tencentLanguages = tencentTemplate.extend({ languages: languagesOf(tencentTemplate) });
const aliyun = z.strictObject({
  carrier: z.literal("aliyun"),
  accessKeyId: text,
  accessKeySecret: text,
  mainland: aliyunTemplates.exactOptional(),
  international: aliyunTemplates.exactOptional(),
  receiptSecret,
  ...common,
});
const tencent = z.strictObject({
  carrier: z.literal("tencent"),
  secretId: text,
  secretKey: text,
  sdkAppId: text,
  region: text.exactOptional(),
  mainland: tencentMainlandLanguages.extend({ apps: appsOf(tencentMainlandLanguages) }).exactOptional(),
  international: tencentLanguages.extend({ apps: appsOf(tencentLanguages) }).exactOptional(),
  receiptSecret,
  ...common,
});
const twilioSender = z.union(
  [z.strictObject({ from: text }), z.strictObject({ messagingServiceSid: text })],
  "must be an object with either from or messagingServiceSid",
);
const twilioTemplate = z.strictObject(
  {
    text: text.includes("{code}", { error: "must contain {code}" }),
    sender: twilioSender.exactOptional(),
    // The SMS sender checks the values, together with the length of the text.
    autofill: z
      .strictObject({ androidHash: text.exactOptional(), domain: text.exactOptional() })
      .exactOptional(),
  },
  "must be an object with text",
);
const twilioLanguages = twilioTemplate.extend({ languages: languagesOf(twilioTemplate) });
const twilio = twilioLanguages.extend({
  carrier: z.literal("twilio"),
  accountSid: text.startsWith("AC", "must start with AC"),
  authToken: text,
  sender: twilioSender,
  apps: appsOf(twilioLanguages),
  statusCallback: z
    .url({ protocol: /^https$/, error: "must be the public https:// address of /sms-receipts/twilio" })
    .exactOptional(),
  ...common,
});
const carriersFile = z
  .array(
    z.discriminatedUnion(
      "carrier",
      [aliyun, tencent, twilio],
      "must name a carrier: aliyun, tencent or twilio",
    ),
    "the file must be a list of carriers",
  )
  .min(1, "the file must list at least one carrier")
  .superRefine((carriers, context) => {
    for (const [index, carrier] of carriers.entries())
      for (const [name, rule] of problemsOf(carrier, carriers.slice(0, index)))
        context.addIssue({ code: "custom", path: [index, name], message: rule });
  });

/** A carrier of the file. */
export type Carrier = z.output<typeof carriersFile>[number];

/**
 * Reads the file with the SMS carriers.
 *
 * Throws an error that names the file, every wrong member and what to do. It contains no value.
 */
export async function readSmsCarriers(path: string): Promise<readonly Carrier[]> {
  const read = carriersFile.safeParse(await readJson(path));
  if (read.success) return read.data;
  throw unusable(path, `is not valid: ${read.error.issues.flatMap(linesOf).join("; ")}`);
}

async function readJson(path: string): Promise<unknown> {
  const text = await readTextFile(path, {
    what: "SMS carriers file",
    ifMissing: "correct SMS_CARRIERS_FILE, or create the file",
    secret: true,
  });
  if (text.isErr()) throw new Error(text.error.message);
  const json = parseStrictJson(text.value);
  if (json.isErr()) throw unusable(path, `is not valid: ${json.error.map(jsonProblemText).join("; ")}`);
  return json.value;
}

function unusable(path: string, problem: string): Error {
  return new Error(`The SMS carriers file ${path} ${problem}.`);
}

/** Returns the contradictions within a carrier, and with `earlier` carriers. */
function problemsOf(carrier: Carrier, earlier: readonly Carrier[]): readonly (readonly [string, string])[] {
  if (carrier.carrier === "twilio") {
    const others = earlier.filter((one) => one.carrier === "twilio");
    const isOther = ({ authToken, statusCallback }: (typeof others)[number]) =>
      statusCallback !== undefined &&
      (authToken !== carrier.authToken || statusCallback !== carrier.statusCallback);
    return carrier.statusCallback !== undefined && others.some(isOther)
      ? [["statusCallback", "must be absent: the host receives the receipts of one Twilio account"]]
      : [];
  }
  const { receiptSecret, mainland, international } = carrier;
  const nowhere = mainland === undefined && international === undefined;
  const others = earlier.filter((one) => one.carrier === carrier.carrier);
  const isOther = (one: Carrier) =>
    one.carrier !== "twilio" && one.receiptSecret !== undefined && one.receiptSecret !== receiptSecret;
  const rules: readonly (readonly [boolean, string, string])[] = [
    [nowhere, "mainland", "or international is missing: without a template the carrier sends nothing"],
    [
      receiptSecret !== undefined && others.some(isOther),
      "receiptSecret",
      "must be that of the earlier entry of this carrier",
    ],
  ];
  return rules.flatMap(([broken, name, rule]) => (broken ? [[name, rule] as const] : []));
}

function linesOf(issue: z.core.$ZodIssue): readonly string[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => `${formatJsonPath([...issue.path, key])} is not a known member`);
  const member = formatJsonPath(issue.path);
  if (issue.code === "invalid_key") return issue.issues.map(({ message }) => `${member} ${message}`);
  return [member === "" ? issue.message : `${member} ${issue.message}`];
}

/** Returns whether two tags differ only in upper and lower case. */
function hasDoubled(tags: readonly string[]): boolean {
  return new Set(tags.map((tag) => tag.toLowerCase())).size < tags.length;
}

/**
 * Returns whether the value is an HTTPS origin, or an HTTP origin on this machine for tests.
 *
 * Codes must not cross a network in plain text.
 */
function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, origin } = new URL(value);
  const isLocal = ["127.0.0.1", "[::1]", "localhost"].includes(hostname);
  return value.replace(/\/$/, "") === origin && (protocol === "https:" || (protocol === "http:" && isLocal));
}
