import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openSmsCarriers } from "./sms-carriers.js";

const observer = { onEvent: () => undefined };
const receiptSecret = "0123456789abcdef0123456789abcdef";
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(`${tmpdir()}/sms-carriers-`);
});
afterEach(() => rm(folder, { recursive: true }));

/** Opens the carriers of a file with this text. */
async function open(text: string) {
  await writeFile(`${folder}/carriers.json`, text);
  return openSmsCarriers(`${folder}/carriers.json`, observer);
}

it("opens every carrier of the file, with its receipts", async () => {
  const carriers = await open(
    JSON.stringify([
      {
        carrier: "aliyun",
        accessKeyId: "i",
        accessKeySecret: "s",
        mainland: { templateCode: "SMS_1", signName: "Tillkit" },
        receiptSecret,
      },
      { carrier: "tencent", secretId: "i", secretKey: "s", sdkAppId: "1", receiptSecret },
      {
        carrier: "twilio",
        accountSid: "AC1",
        authToken: "t",
        sender: { from: "+15005550006" },
        text: "{code}",
        statusCallback: "https://pay.example/sms-receipts/twilio",
      },
    ]),
  );
  for (const path of [`/aliyun/${receiptSecret}`, `/tencent/${receiptSecret}`, "/twilio"])
    expect(carriers?.receipts.owns("POST", path)).toBe(true);
});

it("receives no receipts without a secret or a URL", async () => {
  const carriers = await open(
    JSON.stringify([{ carrier: "tencent", secretId: "i", secretKey: "s", sdkAppId: "1" }]),
  );
  expect(carriers?.receipts.owns("POST", `/tencent/${receiptSecret}`)).toBe(false);
});

it("opens nothing without a file", async () => {
  expect(await openSmsCarriers(undefined, observer)).toBeUndefined();
});

it.each([
  ["not json: top-secret", "cannot be read as JSON"],
  ["[]", "SMS_CARRIERS_FILE is wrong"],
  ['[{"carrier":"aliyun","accessKeyId":"i","accessKeySecret":7}]', "0.accessKeySecret"],
])("refuses %s without its values", async (text, message) => {
  const opened = open(text);
  await expect(opened).rejects.toThrow(message);
  await expect(opened).rejects.not.toThrow("top-secret");
});
