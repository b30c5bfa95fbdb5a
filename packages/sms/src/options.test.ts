import { expectFailure } from "@tillkit/contract-tests";
import { expect, it } from "vitest";
import { aliyunSmsSender } from "./aliyun/index.js";
import { tencentSmsSender } from "./tencent/index.js";
import { twilioSmsSender } from "./twilio/index.js";
import { validityMinutes } from "./validity-minutes.js";

const message = { mobileNo: "+4915123456789", authCode: "048271", ttl: 300_000 };

it.each([
  ["aliyun", () => aliyunSmsSender({ accessKeyId: "i", accessKeySecret: "s" })],
  ["tencent", () => tencentSmsSender({ secretId: "i", secretKey: "s", sdkAppId: "a" })],
])("%s rejects a number for which it has no template", async (_, open) => {
  const failure = await expectFailure((await open()).send(message));
  expect(failure.name).toBe("sms.rejected");
  expect(failure.detail).toMatch(/^no .+ template/);
});

it("refuses a text without a code", async () => {
  const twilio = twilioSmsSender({ accountSid: "AC1", authToken: "t", sender: { from: "+1" }, text: "Hi" });
  await expect(twilio).rejects.toThrow("{code}");
});

it.each(["sms.example", "ftp://sms.example", "https://sms.example/path"])(
  "refuses the endpoint %s",
  async (endpoint) => {
    const options = { accessKeyId: "i", accessKeySecret: "s", endpoint };
    await expect(aliyunSmsSender(options)).rejects.toThrow(RangeError);
  },
);

it.each([
  [20_000, "1"],
  [300_000, "5"],
  [359_999, "5"],
])("says that %i ms are %s minutes", (ttl, minutes) => {
  expect(validityMinutes(ttl)).toBe(minutes);
});
