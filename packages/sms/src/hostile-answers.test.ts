import { inspect } from "node:util";
import { caseCount, expectFailure, expectOk, manyCases } from "@tillkit/contract-tests";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { failover } from "./index.js";
import { openAliyunCarrier } from "./testing/aliyun-carrier.js";
import type { TestCarrier } from "./testing/carrier.js";
import { type LocalServer, openLocalServer } from "./testing/local-server.js";
import { openTencentCarrier } from "./testing/tencent-carrier.js";
import { openTwilioCarrier } from "./testing/twilio-carrier.js";

const message = {
  appId: "app_1",
  purpose: "login",
  mobileNo: "+8613800138000",
  authCode: "048271",
  ttl: 330_000,
} as const;

/** The words of a system error, which an answer may quote. */
const REFUSED = "connect ECONNREFUSED";

describe.each([
  {
    name: "aliyun",
    open: openAliyunCarrier,
    withoutCode: { Message: `${REFUSED} 10.0.0.1:443` },
    withCode: (code: unknown) => ({ Code: code, Message: `${REFUSED} ${message.mobileNo}` }),
    accepted: { Code: "OK", Message: "OK", BizId: "b" },
    // The SDK cannot be stopped: it reads on until the carrier closes the connection.
    endsAtDeadline: false,
  },
  {
    name: "tencent",
    open: openTencentCarrier,
    withoutCode: { Response: { Error: { Code: "", Message: REFUSED }, RequestId: "r" } },
    withCode: (code: unknown) => ({ Response: { Error: { Code: code, Message: message.mobileNo } } }),
    accepted: { Response: { SendStatusSet: [{ Code: "Ok" }] } },
    endsAtDeadline: true,
  },
  {
    name: "twilio",
    open: openTwilioCarrier,
    withoutCode: { message: REFUSED, status: 400 },
    withCode: (code: unknown) => ({ code, message: message.mobileNo }),
    accepted: { sid: "SM1", status: "queued" },
    endsAtDeadline: true,
  },
] as const)("$name", ({ open, withoutCode, withCode, accepted, endsAtDeadline }) => {
  let carrier: TestCarrier;
  let elsewhere: LocalServer;
  beforeEach(async () => {
    carrier = await open();
    elsewhere = await openLocalServer(() => ({ status: 200, body: "{}" }));
  });
  afterEach(() => Promise.all([carrier.close(), elsewhere.close()]));

  it.each([301, 302, 303, 307, 308])("does not follow a redirect with HTTP %i", async (status) => {
    carrier.answer({ status, body: "{}", location: `${elsewhere.origin}/` });
    const sender = await carrier.sender();
    expect(await expectFailure(sender.send(message))).toMatchObject({ name: "sms.unknown" });
    expect([carrier.requests(), elsewhere.connections()]).toEqual([1, 0]);
  });

  it("does not send twice after a redirect to the carrier itself", async () => {
    carrier.answer({ status: 307, body: "{}", location: `${carrier.origin}/` });
    const sender = await carrier.sender();
    expect(await expectFailure(sender.send(message))).toMatchObject({ name: "sms.unknown" });
    expect(carrier.requests()).toBe(1);
  });

  it("does not treat a redirect to a closed port as a refused connection", async () => {
    await elsewhere.close();
    carrier.answer({ status: 307, body: "{}", location: `${elsewhere.origin}/` });
    const sender = await carrier.sender();
    expect(await expectFailure(sender.send(message))).toMatchObject({ name: "sms.unknown" });
    elsewhere = await openLocalServer(() => "hang");
  });

  it.each([
    ["a text", 200, REFUSED],
    ["an error without a code", 200, JSON.stringify(withoutCode)],
    ["HTTP 400 without a code", 400, JSON.stringify(withoutCode)],
  ])("does not treat the words of %s as a refused connection", async (_, status, body) => {
    carrier.answer({ status, body });
    const sender = await carrier.sender();
    expect(await expectFailure(sender.send(message))).toMatchObject({ name: "sms.unknown" });
  });

  it.each(["null", "[]", "1", '"OK"', "true", '{"Response":null}', '{"Response":{"SendStatusSet":[]}}', ""])(
    "returns an unknown outcome for HTTP 200 with %s",
    async (body) => {
      carrier.answer({ status: 200, body });
      const sender = await carrier.sender();
      expect(await expectFailure(sender.send(message))).toMatchObject({ name: "sms.unknown" });
    },
  );

  it.each([
    [["OK"]],
    [{}],
    [null],
    [7],
    ["constructor"],
    ["__proto__"],
    [message.mobileNo],
    ["138.0013.8000"],
  ])("returns an unknown outcome for the code %j, and repeats nothing that may be a number", async (code) => {
    for (const status of [200, 400]) {
      carrier.answer({ status, body: JSON.stringify(withCode(code)) });
      const sender = await carrier.sender();
      if (code === "OK" && status === 200) continue;
      const failure = await expectFailure(sender.send(message));
      expect(failure.name).toBe("sms.unknown");
      expect(inspect(failure, { depth: 20, showHidden: true })).not.toMatch(/138|048271/);
    }
  });

  it.each([302, 400, 500])("does not treat the body of HTTP %i as success", async (status) => {
    carrier.answer({ status, body: JSON.stringify(accepted) });
    const sender = await carrier.sender();
    expect(await expectFailure(sender.send(message))).toMatchObject({ name: "sms.unknown" });
  });

  it("resolves at the deadline while an endless answer arrives", async () => {
    carrier.answer("endless");
    const sender = await carrier.sender({ deadline: 300 });
    expect(await expectFailure(sender.send(message))).toMatchObject({ name: "sms.unknown" });
    if (endsAtDeadline) await vi.waitFor(() => expect(carrier.openConnections()).toBe(0));
  });

  it("sends each of many messages at once exactly one time", async () => {
    const sender = await carrier.sender();
    const count = caseCount({ few: 40, many: 200 });
    const numbers = Array.from({ length: count }, (_, index) => `+86138${String(index).padStart(8, "0")}`);
    await Promise.all(numbers.map((mobileNo) => expectOk(sender.send({ ...message, mobileNo }))));
    expect(carrier.messages.map(({ mobileNo }) => mobileNo).sort()).toEqual(numbers);
    expect(carrier.requests()).toBe(count);
  });

  it("writes nothing to the console, whatever the environment of the SDK says", async () => {
    vi.stubEnv("TWILIO_LOG_LEVEL", "debug");
    const spies = (["log", "error", "warn", "info", "debug"] as const).map((name) =>
      vi.spyOn(console, name).mockReturnValue(undefined),
    );
    try {
      const sender = await carrier.sender();
      await expectOk(sender.send(message));
      carrier.answer("reset");
      await expectFailure(sender.send(message));
      for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    } finally {
      vi.restoreAllMocks();
      vi.unstubAllEnvs();
    }
  });

  it.each([
    ...(manyCases() ? [["an answer that never comes", "hang"] as const] : []),
    ["a reset connection", "reset"],
    ["HTTP 500", { status: 500, body: "{}" }],
    ["an undocumented code", { status: 400, body: JSON.stringify(withCode("Some.NewCode")) }],
  ] as const)("does not fail over after %s", async (_, answer) => {
    const second = await open();
    try {
      carrier.answer(answer);
      const sender = failover([await carrier.sender({ deadline: 2_000 }), await second.sender()]);
      expect(await expectFailure(sender.send(message))).toMatchObject({ name: "sms.unknown" });
      expect([carrier.requests(), second.requests()]).toEqual([1, 0]);
    } finally {
      await second.close();
    }
  });
});

describe("twilio", () => {
  let carrier: TestCarrier;
  beforeEach(async () => {
    carrier = await openTwilioCarrier();
  });
  afterEach(() => carrier.close());

  it.each([
    ["queued", "accepted"],
    ["sent", "accepted"],
    ["undelivered", "accepted"],
    ["failed", "sms.rejected"],
  ])("maps the status %s of a new message to the outcome %s", async (status, outcome) => {
    carrier.answer({ status: 201, body: JSON.stringify({ sid: "SM1", status, error_code: 30001 }) });
    const sender = await carrier.sender();
    const sent = await sender.send(message);
    expect(sent.isOk() ? "accepted" : sent.error.name).toBe(outcome);
  });

  it("stops reading an answer that is too long", async () => {
    const body = JSON.stringify({ sid: "SM1", status: "queued", body: " ".repeat(100_000) });
    carrier.answer({ status: 201, body });
    const sender = await carrier.sender();
    expect(await expectFailure(sender.send(message))).toMatchObject({ name: "sms.unknown" });
  });
});
