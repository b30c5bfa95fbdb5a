import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultPolicy, orThrow } from "@tillkit/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { readPolicy } from "./policy-file.js";

async function read(content: string | Uint8Array) {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-policy-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "policy.json");
  await writeFile(path, content);
  return { path, result: await readPolicy(path) };
}

describe("readPolicy", () => {
  it("applies the fields of the file to the default policy", async () => {
    const changes = {
      unsignedRefusalDelay: 3_600_000,
      statusMode: "standard",
      timeZone: "Europe/Berlin",
      querySchedule: [1_000, 2_000],
      sourceFromTokens: ["huawei"],
      payChannelNames: { WALLET_A: "messenger", WALLET_B: "payer" },
      testNumbers: [{ mobileNo: "+8613800000000", authCode: "123456", expiresAt: 1 }],
    };
    const { result } = await read(JSON.stringify(changes));
    expect(orThrow(result)).toEqual({ ...defaultPolicy, ...changes });
    expect(orThrow((await read("{}")).result)).toEqual(defaultPolicy);
  });

  it("reads every field of the policy", async () => {
    const { result } = await read(JSON.stringify(defaultPolicy));
    expect(orThrow(result)).toEqual(defaultPolicy);
  });

  it("names every problem at once, with its path", async () => {
    const { path, result } = await read(
      JSON.stringify({
        orderTTL: 5,
        smsPerDay: "5",
        codeTtl: -1,
        maxSessions: null,
        timeZone: "Mars/Olympus",
        defaultCountry: "cn",
        statusMode: "loud",
        querySchedule: [1, "2"],
        refundSchedule: [2, 1],
        sourceFromTokens: ["a", "a"],
        payChannelNames: { WALLET_A: "x", WALLET_B: 1, WALLET_C: "y" },
        testNumbers: [{ mobileNo: "1", authCode: "2", expires: 3 }],
      }),
    );
    const { name, message } = result._unsafeUnwrapErr();
    expect(name).toBe("policy.invalid");
    expect(message.split(/: |; |\. /).slice(1, -2)).toEqual(
      expect.arrayContaining([
        "orderTTL is not a known name",
        "smsPerDay must be a whole number from 0 to 1000000",
        "codeTtl must be a whole number of milliseconds from 30000 (30 s) to 86400000 (1 d)",
        "maxSessions must be a whole number of sessions from 1 to 1000",
        "timeZone must be an IANA time zone, such as Asia/Shanghai",
        "defaultCountry must be the two capital letters of a country, such as CN",
        "statusMode must be always-200 or standard",
        "querySchedule[1] must be a whole number of milliseconds from 1 (1 ms) to 31622400000 (366 d)",
        "refundSchedule must be in ascending order",
        "sourceFromTokens[1] must not repeat an earlier token",
        "payChannelNames.WALLET_B must be text",
        "payChannelNames.WALLET_C is not a known name",
        "testNumbers[0].expires is not a known name",
      ]),
    );
    expect(message).toContain(path);
  });

  it.each([
    ['{"toString":1,"__proto__":{}}', "toString is not a known name"],
    ["{ codes", "the text is not JSON (line 1, column 3)"],
    ['{"smsPerDay":5,"smsPerDay":9}', "smsPerDay occurs twice (line 1, column 16)"],
    [
      '{"testNumbers":[{"mobileNo":"1","authCode":"1","authCode":"2"}]}',
      "testNumbers[0].authCode occurs twice (line 1, column 48)",
    ],
    ["[]", "the file must be one object"],
    ["null", "the file must be one object"],
    ['{"payChannelNames":[]}', "payChannelNames must be an object"],
  ])("refuses %s", async (content, problem) => {
    const { result } = await read(content);
    expect(result._unsafeUnwrapErr()).toMatchObject({ name: "policy.invalid" });
    expect(result._unsafeUnwrapErr().message).toContain(problem);
  });

  it.each([
    ["a byte order mark", '\ufeff{"smsPerDay":7}'],
    ["the line ends of Windows", '{\r\n"smsPerDay": 7\r\n}\r\n'],
  ])("reads a file with %s", async (_what, content) => {
    expect(orThrow((await read(content)).result).smsPerDay).toBe(7);
  });

  it("names the encoding of a file that is not UTF-8", async () => {
    const { result } = await read(Buffer.from('\ufeff{"smsPerDay":7}', "utf16le"));
    expect(result._unsafeUnwrapErr().name).toBe("policy.invalid");
    expect(result._unsafeUnwrapErr().message).toContain("is UTF-16: save it as UTF-8");
  });

  it("distinguishes a missing file from an unreadable one", async () => {
    const folder = await mkdtemp(join(tmpdir(), "tillkit-policy-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    expect((await readPolicy(join(folder, "none.json")))._unsafeUnwrapErr().name).toBe("policy.missing");
    expect((await readPolicy(folder))._unsafeUnwrapErr().name).toBe("policy.unavailable");
  });
});
