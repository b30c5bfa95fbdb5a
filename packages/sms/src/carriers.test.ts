import { inspect } from "node:util";
import { expectFailure, expectOk, manyCases, smsSenderContract } from "@tillkit/contract-tests";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ALIYUN_CODES } from "./aliyun/aliyun-codes.js";
import { TENCENT_CODES } from "./tencent/tencent-codes.js";
import { openAliyunCarrier } from "./testing/aliyun-carrier.js";
import { DOCUMENTED } from "./testing/documented-codes.js";
import { type TestCarrier, TEST_SECRET } from "./testing/carrier.js";
import { openTencentCarrier } from "./testing/tencent-carrier.js";
import { openTwilioCarrier } from "./testing/twilio-carrier.js";
import { TWILIO_CODES } from "./twilio/twilio-codes.js";

const message = {
  appId: "app_1",
  purpose: "login",
  mobileNo: "+8613800138000",
  authCode: "048271",
  ttl: 330_000,
} as const;

const wordsOf = (text: string) => text.trim().split(/\s+/);

describe.each([
  { name: "aliyun", open: openAliyunCarrier, codes: ALIYUN_CODES, throttled: "Throttling.User" } as const,
  {
    name: "tencent",
    open: openTencentCarrier,
    codes: TENCENT_CODES,
    throttled: "RequestLimitExceeded",
  } as const,
  { name: "twilio", open: openTwilioCarrier, codes: TWILIO_CODES, throttled: "20429" } as const,
])("$name", ({ name, open, codes, throttled }) => {
  smsSenderContract(name, async () => {
    const carrier = await open();
    const [patient, hasty] = await Promise.all([carrier.sender(), carrier.sender({ deadline: 200 })]);
    let sender = patient;
    return {
      port: {
        send: (sms) => sender.send(sms),
        taken: () => Promise.resolve(carrier.messages),
        injectFault: (fault) => {
          sender = fault === "timeout" ? hasty : patient;
          if (fault === "reject") carrier.refuse(throttled);
          else carrier.answer(fault === "timeout" ? "hang" : undefined);
          return Promise.resolve();
        },
      },
      close: () => carrier.close(),
    };
  });

  let carrier: TestCarrier;
  beforeEach(async () => {
    carrier = await open();
  });
  afterEach(() => carrier.close());

  const { rejected, unknown } = DOCUMENTED[name];
  it.each([
    ...wordsOf(rejected).map((code) => [code, "sms.rejected"] as const),
    ...wordsOf(unknown).map((code) => [code, "sms.unknown"] as const),
  ])("answers %s with %s, after one request", async (code, failure) => {
    carrier.refuse(code);
    const sender = await carrier.sender();
    const given = await expectFailure(sender.send(message));
    expect(given.name).toBe(failure);
    expect(given.detail).toContain(code);
    expect(carrier.requests()).toBe(1);
  });

  it("has exactly the documented codes", () => {
    expect(Object.keys(codes).sort()).toEqual([...wordsOf(rejected), ...wordsOf(unknown)].sort());
  });

  it.each([500, 502, 503])("returns an unknown outcome for a rejection with HTTP %i", async (status) => {
    carrier.refuse(throttled, status);
    const sender = await carrier.sender();
    expect(await expectFailure(sender.send(message))).toMatchObject({ name: "sms.unknown" });
    expect(carrier.requests()).toBe(1);
  });

  it("returns an unknown outcome for an undocumented code", async () => {
    carrier.refuse(name === "twilio" ? "99999" : "Some.NewCode");
    const sender = await carrier.sender();
    expect(await expectFailure(sender.send(message))).toMatchObject({ name: "sms.unknown" });
  });

  it.each([
    "13800138000",
    "8613800138000",
    "123456",
    ...(name === "twilio"
      ? []
      : ["Blocked.13800138000", "Number+8613800138000", "13800138000x", "code 123456"]),
  ])("shows no code that may be a number of the customer, or the sent code: %s", async (code) => {
    carrier.refuse(code);
    const sender = await carrier.sender();
    const failure = await expectFailure(sender.send(message));
    expect(failure.name).toBe("sms.unknown");
    expect(failure.detail).toMatch(/undocumented code$/);
  });

  it.each([
    ["HTTP 500", { status: 500, body: "{}" }],
    ["HTTP 503 with a page", { status: 503, body: "<html>", type: "text/html" }],
    ["HTTP 200 with a page", { status: 200, body: "<html>", type: "text/html" }],
    ["an empty object", { status: 200, body: "{}" }],
    ...(manyCases() ? [["half an answer", "half"] as const] : []),
    ["a reset connection", "reset"],
  ] as const)("returns an unknown outcome after %s, and does not repeat", async (_, answer) => {
    carrier.answer(answer);
    // One SDK does not notice a broken body, so the deadline ends the request.
    const sender = await carrier.sender({ deadline: 2_000 });
    expect(await expectFailure(sender.send(message))).toMatchObject({ name: "sms.unknown" });
    expect(carrier.requests()).toBe(1);
  });

  it("returns a rejection if the connection is refused", async () => {
    const gone = await open();
    const sender = await gone.sender();
    await gone.close();
    const failure = await expectFailure(sender.send(message));
    expect(failure.name).toBe("sms.rejected");
    expect(failure.detail).toMatch(/^no connection to .+: ECONNREFUSED$/);
  });

  it("is refused with a wrong secret, and shows no secret anywhere", async () => {
    const sender = await carrier.sender({ secret: "another-secret-5150" });
    const failure = await expectFailure(sender.send(message));
    expect(failure.name).toBe("sms.rejected");
    const right = await carrier.sender();
    await expectOk(right.send(message));
    const shown = inspect([failure, sender, right], { depth: 20, showHidden: true });
    for (const secret of [TEST_SECRET, "another-secret-5150", "048271", "13800138000"])
      expect(shown).not.toContain(secret);
  });

  it("uses one connection for messages one after another", async () => {
    const sender = await carrier.sender();
    await expectOk(sender.send(message));
    await expectOk(sender.send(message));
    expect([carrier.requests(), carrier.connections()]).toEqual([2, 1]);
  });

  it("sends to other countries", async () => {
    const sender = await carrier.sender();
    await expectOk(sender.send({ ...message, mobileNo: "+4915123456789" }));
    expect(carrier.messages).toMatchObject([{ mobileNo: "+4915123456789" }]);
  });

  it("passes the parameters that the carrier documents", async () => {
    const sender = await carrier.sender();
    await expectOk(sender.send(message));
    await expectOk(sender.send({ ...message, mobileNo: "+4915123456789", ttl: 20_000 }));
    expect(carrier.received).toMatchSnapshot();
  });
});
