import { expectFailure } from "@tillkit/contract-tests";
import { expect, it } from "vitest";
import { aliyunSmsSender } from "./aliyun/index.js";
import { tencentSmsSender } from "./tencent/index.js";
import { twilioSmsSender } from "./twilio/index.js";
import { validityMinutes } from "./validity-minutes.js";

const twilio = { accountSid: "AC1", authToken: "t", sender: { from: "+1" }, text: "{code}" };
const aliyun = { accessKeyId: "i", accessKeySecret: "s" };
const tencent = { secretId: "i", secretKey: "s", sdkAppId: "a" };
const message = {
  appId: "app_1",
  purpose: "login",
  mobileNo: "+4915123456789",
  authCode: "048271",
  ttl: 300_000,
} as const;

it.each([
  ["aliyun", () => aliyunSmsSender({ ...aliyun, mainland: { templateCode: "SMS_1", signName: "Tillkit" } })],
  ["tencent", () => tencentSmsSender({ ...tencent, mainland: { templateId: "1", signName: "Tillkit" } })],
])("%s: a sender rejects a number for which it has no template", async (_, open) => {
  const failure = await expectFailure((await open()).send(message));
  expect(failure.name).toBe("sms.rejected");
  expect(failure.detail).toMatch(/^no .+ template/);
});

it.each([
  ["accessKeyId", () => aliyunSmsSender({ accessKeyId: "", accessKeySecret: "s" })],
  ["accessKeySecret", () => aliyunSmsSender({ accessKeyId: "i", accessKeySecret: "" })],
  ["secretId", () => tencentSmsSender({ secretId: "", secretKey: "s", sdkAppId: "a" })],
  ["secretKey", () => tencentSmsSender({ secretId: "i", secretKey: "", sdkAppId: "a" })],
  ["sdkAppId", () => tencentSmsSender({ secretId: "i", secretKey: "s", sdkAppId: "" })],
  ["accountSid", () => twilioSmsSender({ ...twilio, accountSid: "" })],
  ["authToken", () => twilioSmsSender({ ...twilio, authToken: "" })],
])("a sender needs %s when it is created, not only for the first message", async (option, open) => {
  await expect(open()).rejects.toThrow(`needs ${option}, which is empty`);
});

it.each([
  ["accessKeyId", () => openedWithout(aliyunSmsSender)],
  ["secretId", () => openedWithout(tencentSmsSender)],
  ["accountSid", () => openedWithout(twilioSmsSender)],
])("a sender without an account is not created, and the error names %s", async (option, open) => {
  await expect(open()).rejects.toThrow(`needs ${option}, which is missing`);
});

it.each([
  ["aliyun", () => aliyunSmsSender(aliyun)],
  ["tencent", () => tencentSmsSender(tencent)],
])("%s: a sender without any template is not created", async (_, open) => {
  await expect(open()).rejects.toThrow("needs templates: set mainland, international, or both");
});

it("a sender refuses an accountSid of another kind, and its error does not repeat the value", async () => {
  const opened = twilioSmsSender({ ...twilio, accountSid: "SK-secret" });
  await expect(opened).rejects.toThrow("must start with AC");
  await expect(opened).rejects.not.toThrow("SK-secret");
});

it.each([0, -1, 1.5, Number.NaN, Infinity, 2 ** 31])("a sender refuses the deadline %d", async (deadline) => {
  const opened = aliyunSmsSender({
    ...aliyun,
    international: { templateCode: "SMS_1", signName: "Tillkit" },
    deadline,
  });
  await expect(opened).rejects.toThrow(RangeError);
});

it("a sender refuses templates that would send no code", async () => {
  const template = { templateCode: "SMS_1", signName: "Tillkit", minutesVariable: "code" };
  const credentials = { accessKeyId: "i", accessKeySecret: "s" };
  await expect(aliyunSmsSender({ ...credentials, mainland: template })).rejects.toThrow("must differ");
  const international = { templateId: "1", parameters: ["minutes"] } as const;
  const account = { secretId: "i", secretKey: "s", sdkAppId: "a" };
  await expect(tencentSmsSender({ ...account, international })).rejects.toThrow("must contain code");
});

it("a sender refuses a text without a code", async () => {
  await expect(twilioSmsSender({ ...twilio, text: "Hi" })).rejects.toThrow("{code}");
});

it.each(["host.test", "ftp://host.test", "https://host.test/path", "https://user:pass@host.test"])(
  "a sender refuses the endpoint %s, and its error does not repeat the value",
  async (endpoint) => {
    const opened = aliyunSmsSender({ accessKeyId: "i", accessKeySecret: "s", endpoint });
    await expect(opened).rejects.toThrow(RangeError);
    await expect(opened).rejects.not.toThrow(endpoint);
  },
);

it.each([
  [20_000, "1"],
  [300_000, "5"],
  [359_999, "5"],
])("validityMinutes converts %i ms to %s minutes", (ttl, minutes) => {
  expect(validityMinutes(ttl)).toBe(minutes);
});

/** Calls a function with empty options, as a host written in JavaScript can. */
async function openedWithout(open: (...options: never) => Promise<unknown>): Promise<unknown> {
  return Reflect.apply(open, undefined, [{}]);
}
