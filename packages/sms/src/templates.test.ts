import { expectOk } from "@tillkit/contract-tests";
import { describe, expect, it, onTestFinished } from "vitest";
import { aliyunSmsSender } from "./aliyun/index.js";
import { templateFor } from "./templates.js";
import { tencentSmsSender } from "./tencent/index.js";
import { openAliyunCarrier } from "./testing/aliyun-carrier.js";
import { openTencentCarrier } from "./testing/tencent-carrier.js";
import { openTwilioCarrier } from "./testing/twilio-carrier.js";
import { type TwilioTemplate, twilioSmsSender } from "./twilio/index.js";

const message = {
  appId: "app_1",
  purpose: "login",
  mobileNo: "+8613800138000",
  authCode: "048271",
  ttl: 300_000,
} as const;

const templates = {
  name: "default",
  languages: { en: { name: "en" }, "zh-Hant": { name: "zh-Hant" } },
  apps: {
    app_2: { name: "two", languages: { "en-GB": { name: "two en-GB" } } },
    app_3: { name: "three" },
  },
};

it.each([
  ["app_1", undefined, "default"],
  ["app_1", "en", "en"],
  ["app_1", "EN-gb", "en"],
  ["app_1", "zh-hant-TW", "zh-Hant"],
  ["app_1", "zh", "default"],
  ["app_1", "eng", "default"],
  ["app_2", undefined, "two"],
  ["app_2", "en-GB-oed", "two en-GB"],
  ["app_2", "en", "two"],
  ["app_2", "zh-Hant", "two"],
  ["app_3", "en", "three"],
  ["__proto__", "__proto__", "default"],
  ["constructor", "constructor", "default"],
] as const)("templateFor returns for %s in %s the template %s", (appId, language, name) => {
  const asked = { appId, ...(language === undefined ? {} : { language }) };
  expect(templateFor(templates, asked).name).toBe(name);
});

describe.each([
  {
    name: "aliyun",
    open: openAliyunCarrier,
    read: ["TemplateCode", "SignName"],
    sent: [
      ["SMS_1", "测试"],
      ["SMS_1_EN", "Test"],
      ["SMS_3", "二号"],
      ["SMS_3_HANT", "二號"],
      ["SMS_3", "二号"],
    ],
  },
  {
    name: "tencent",
    open: openTencentCarrier,
    read: ["TemplateId", "SignName"],
    sent: [
      ["1110", "测试"],
      ["1120", "Test"],
      ["1130", "二号"],
      ["1140", "二號"],
      ["1130", "二号"],
    ],
  },
  {
    name: "twilio",
    open: openTwilioCarrier,
    read: ["Body", "From"],
    sent: [
      ["Code 048271, valid for 5 minutes.", "+15005550006"],
      ["Test: 048271", "+15005550006"],
      ["二号 048271\n@two.example #048271 FA+9qCX9VSu", undefined],
      ["二號 048271", "+15005550006"],
      ["二号 048271\n@two.example #048271 FA+9qCX9VSu", undefined],
    ],
  },
] as const)("$name", ({ open, read, sent }) => {
  it("sends each app and language its template and signature", async () => {
    const carrier = await open();
    onTestFinished(() => carrier.close());
    const sender = await carrier.sender();
    for (const [appId, language] of [
      ["app_1", undefined],
      ["app_1", "en-GB"],
      ["app_2", undefined],
      ["app_2", "zh-Hant-HK"],
      ["app_2", "en"],
    ] as const)
      await expectOk(sender.send({ ...message, appId, ...(language === undefined ? {} : { language }) }));
    expect(carrier.received.map((one) => read.map((member) => one[member]))).toEqual(sent);
  });
});

describe("templates", () => {
  const aliyun = (mainland: object) =>
    aliyunSmsSender({
      accessKeyId: "i",
      accessKeySecret: "s",
      mainland: Object.assign({ templateCode: "SMS_1", signName: "Tillkit" }, mainland),
    });
  const tencent = (mainland: object) =>
    tencentSmsSender({
      secretId: "i",
      secretKey: "s",
      sdkAppId: "a",
      mainland: Object.assign({ templateId: "1" }, mainland),
    });
  const twilio = (changes: object) =>
    twilioSmsSender(
      Object.assign({ accountSid: "AC1", authToken: "t", sender: { from: "+1" }, text: "{code}" }, changes),
    );

  it.each([
    [
      "a missing default",
      () => aliyun({ templateCode: undefined, languages: {} }),
      "needs mainland.templateCode",
    ],
    [
      "a missing default of an app",
      () => aliyun({ apps: { a: { languages: {} } } }),
      "mainland.apps.a.templateCode",
    ],
    [
      "an incomplete template of a language",
      () => aliyun({ languages: { en: { templateCode: "SMS_2" } } }),
      "needs mainland.languages.en.signName, which is missing",
    ],
    [
      "an empty template",
      () => tencent({ languages: { en: { templateId: "" } } }),
      "mainland.languages.en.templateId",
    ],
    [
      "an unknown member",
      () => tencent({ apps: { a: { templateId: "2", sign: "x" } } }),
      "mainland.apps.a.sign",
    ],
    [
      "apps within an app",
      () => tencent({ apps: { a: { templateId: "2", apps: {} } } }),
      "does not know mainland.apps.a.apps",
    ],
    [
      "a language that is no tag",
      () => tencent({ languages: { en_GB: { templateId: "2" } } }),
      "no language tag",
    ],
    [
      "a language in two spellings",
      () => tencent({ languages: { en: { templateId: "2" }, EN: { templateId: "3" } } }),
      "names a language twice",
    ],
    [
      "one variable for code and minutes in one language",
      () => aliyun({ languages: { en: { templateCode: "S", signName: "T", minutesVariable: "code" } } }),
      "minutesVariable of mainland.languages.en must differ",
    ],
    [
      "no code in the parameters of an app",
      () => tencent({ apps: { a: { templateId: "2", parameters: ["minutes"] } } }),
      "parameters of mainland.apps.a must contain code",
    ],
    ["no text", () => twilio({ text: undefined }), "needs options.text, which is missing"],
    [
      "no code in the text of an app",
      () => twilio({ apps: { a: { text: "Hi" } } }),
      "{code}: options.apps.a",
    ],
    [
      "autofill at Alibaba Cloud",
      () => aliyun({ autofill: { domain: "a.example" } }),
      "cannot have autofill",
    ],
    [
      "autofill at Tencent Cloud",
      () => tencent({ autofill: { domain: "a.example" } }),
      "cannot have autofill",
    ],
    ["autofill of nothing", () => twilio({ autofill: {} }), "needs androidHash or domain"],
    [
      "a short hash",
      () => twilio({ autofill: { androidHash: "FA+9qCX9VS" } }),
      "androidHash of 11 characters",
    ],
    ...[
      "https://a.example",
      "a.example/x",
      "A.example",
      "example",
      "a..example",
      "-a.example",
      "1.2.3.4",
    ].map(
      (domain) => [`the domain ${domain}`, () => twilio({ autofill: { domain } }), "needs a domain"] as const,
    ),
  ] as const)("are refused: %s", async (_, open, problem) => {
    await expect(open()).rejects.toThrow(RangeError);
    await expect(open()).rejects.toThrow(problem);
  });

  const hash = "FA+9qCX9VSu";
  it.each([
    // The line of the hash takes 12 bytes, the longest code 8, and the line of the domain 21.
    ["x".repeat(140 - 12 - 8), { androidHash: hash }, true],
    ["x".repeat(140 - 12 - 7), { androidHash: hash }, false],
    // One Chinese character makes every character two bytes long.
    [`码${"x".repeat(70 - 12 - 8 - 1)}`, { androidHash: hash }, true],
    [`码${"x".repeat(70 - 12 - 8)}`, { androidHash: hash }, false],
    ["x".repeat(500), { domain: "a.example" }, true],
    ["x".repeat(140 - 12 - 8 - 21), { androidHash: hash, domain: "a.example" }, true],
    ["x".repeat(140 - 12 - 8 - 20), { androidHash: hash, domain: "a.example" }, false],
  ])("are refused if Android cannot read the message: %s", async (text, autofill, isShort) => {
    const opened = twilio({ text: `${text}{code}`, autofill });
    if (isShort) await opened;
    else await expect(opened).rejects.toThrow("of which Android reads at most 140");
  });

  it.each([
    [{ androidHash: hash }, `Your code is 048271.\n${hash}`],
    [{ domain: "shop.example" }, "Your code is 048271.\n@shop.example #048271"],
    [{ androidHash: hash, domain: "shop.example" }, `Your code is 048271.\n@shop.example #048271 ${hash}`],
  ])("are accepted with %j, which ends the message", async (autofill, body) => {
    const carrier = await openTwilioCarrier();
    onTestFinished(() => carrier.close());
    const template: TwilioTemplate = { text: "Your code is {code}.", autofill };
    await expectOk((await carrier.sender({ template })).send(message));
    expect(carrier.received).toMatchObject([{ Body: body }]);
  });
});
