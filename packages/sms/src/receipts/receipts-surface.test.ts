import { inspect } from "node:util";
import type { ServiceEvent } from "@tillkit/core";
import { headersIn } from "@tillkit/core/http";
import { getExpectedTwilioSignature } from "twilio/lib/webhooks/webhooks.js";
import { describe, expect, it } from "vitest";
import { receiptsSurface } from "../index.js";
import { twilioSignature } from "./authentic.js";

const secret = "0123456789abcdef0123456789abcdeF";
const twilio = { authToken: "12345", url: "https://pay.example/receipts/twilio" };

/** Opens a surface with all carriers. */
function openSurface() {
  const events: ServiceEvent[] = [];
  const observer = { onEvent: (event: ServiceEvent) => void events.push(event) };
  const surface = receiptsSurface({ observer, aliyun: { secret }, tencent: { secret }, twilio });
  const post = (path: string, text: string, headers: Record<string, string> = {}) => {
    expect(surface.owns("POST", path)).toBe(true);
    const body = text === "too-large" ? text : new TextEncoder().encode(text);
    return surface.handle({ method: "POST", path, query: "", headers: headersIn(headers), body });
  };
  return { surface, events, post };
}

/** Posts a report to a new surface, and returns the reply and the events. */
async function post(...request: Parameters<ReturnType<typeof openSurface>["post"]>) {
  const { events, post } = openSurface();
  return { reply: await post(...request), events };
}

let messages = 0;
const nextId = () => `m-${++messages}`;

const aliyunReport = (success: boolean) => ({
  phone_number: "13811110000",
  send_time: "2017-01-01 00:00:00",
  report_time: "2017-01-01 00:00:00",
  success,
  err_code: success ? "DELIVERED" : "MOBILE_NOT_ON_SERVICE",
  err_msg: "m",
  sms_size: "1",
  biz_id: nextId(),
  out_id: "67890",
});
const internationalReport = (Status: string) => ({ To: "85211110000", Status, MessageId: nextId() });
const tencentReport = (report_status: string) => ({
  user_receive_time: "2015-10-17 08:03:04",
  nationcode: "86",
  mobile: "13811110000",
  report_status,
  errmsg: "DELIVRD",
  description: "d",
  sid: nextId(),
});

describe.each(["aliyun", "tencent"] as const)("%s", (carrier) => {
  const report = carrier === "aliyun" ? aliyunReport(false) : tencentReport("FAIL");
  const idName = carrier === "aliyun" ? "biz_id" : "sid";
  const success = carrier === "aliyun" ? { success: true } : { report_status: "SUCCESS" };
  const undelivered = { type: "sms.reported", carrier, outcome: "undelivered" };
  const path = `/${carrier}/${secret}`;

  it("counts a repeated receipt once, in one report and over several", async () => {
    const { events, post } = openSurface();
    for (let round = 0; round < 3; round += 1)
      expect(await post(path, JSON.stringify([report, report]))).toMatchObject({ status: 200 });
    expect(events).toEqual([undelivered]);
  });

  it("keeps the first outcome if a later receipt contradicts it", async () => {
    const { events, post } = openSurface();
    await post(path, JSON.stringify([report]));
    await post(path, JSON.stringify([{ ...report, ...success }]));
    expect(events).toEqual([undelivered]);
  });

  it("counts each receipt of a message without an id", async () => {
    const { events, post } = openSurface();
    for (const id of [undefined, undefined, 7])
      await post(path, JSON.stringify([{ ...report, [idName]: id }]));
    expect(events).toEqual([undelivered, undelivered, undelivered]);
  });

  it("counts the known receipts of a report that also has a new status", async () => {
    const news = carrier === "aliyun" ? internationalReport("9") : tencentReport("NEW");
    const { reply, events } = await post(path, JSON.stringify([news, report]));
    expect([reply.status, events]).toEqual([200, [undelivered]]);
  });

  it("counts nothing of a report with an invalid entry", async () => {
    const { reply, events } = await post(path, JSON.stringify([report, 1]));
    expect([reply.status, events]).toEqual([400, []]);
  });

  it.each([
    ["longer", `${secret}x`],
    ["shorter", secret.slice(0, -1)],
    ["empty", ""],
    ["in another case", secret.toUpperCase()],
    ["of one character", secret.slice(0, 1)],
  ])("answers 403 with a secret that is %s, and counts nothing", async (_, wrong) => {
    const { reply, events } = await post(`/${carrier}/${wrong}`, JSON.stringify([report]));
    expect([reply.status, events]).toEqual([403, []]);
    expect(JSON.stringify(reply)).not.toContain(secret);
  });

  it.each(["", "{}", "[1]", "not json", '[{"a":1}]'])("answers 400 to %j", async (body) => {
    const { reply, events } = await post(`/${carrier}/${secret}`, body);
    expect([reply.status, events]).toEqual([400, []]);
  });

  it("answers 413 to a body that is too large", async () => {
    const { reply } = await post(`/${carrier}/${secret}`, "too-large");
    expect(reply.status).toBe(413);
  });

  it("refuses a secret that is too short", () => {
    const observer = { onEvent: () => undefined };
    expect(() => receiptsSurface({ observer, [carrier]: { secret: "short" } })).toThrow(RangeError);
  });
});

it.each([
  ["aliyun, of two requests", "aliyun", { biz_id: "b-1" }, { biz_id: "b-2" }],
  ["aliyun, to two numbers of one request", "aliyun", { phone_number: "1" }, { phone_number: "2" }],
  ["tencent", "tencent", { sid: "s-1" }, { sid: "s-2" }],
] as const)("the surface counts both receipts of two messages: %s", async (_, carrier, first, second) => {
  const report = carrier === "aliyun" ? aliyunReport(true) : tencentReport("SUCCESS");
  const reports = [
    { ...report, ...first },
    { ...report, ...second },
  ];
  for (const together of [[reports], reports.map((one) => [one])]) {
    const { events, post } = openSurface();
    for (const some of together) await post(`/${carrier}/${secret}`, JSON.stringify(some));
    expect(events).toHaveLength(2);
  }
});

it("the surface counts the reports of Alibaba Cloud without their contents", async () => {
  const { reply, events } = await post(
    `/aliyun/${secret}`,
    JSON.stringify([
      aliyunReport(true),
      aliyunReport(false),
      internationalReport("1"),
      internationalReport("2"),
      internationalReport("6"),
    ]),
  );
  expect(reply).toMatchObject({ status: 200, route: "/aliyun/{secret}" });
  expect(JSON.parse(reply.body)).toEqual({ code: 0, msg: "OK" });
  const outcomes = ["delivered", "undelivered", "delivered", "undelivered", "undelivered"];
  expect(events).toEqual(outcomes.map((outcome) => ({ type: "sms.reported", carrier: "aliyun", outcome })));
});

it("the surface counts the reports of Tencent Cloud without their contents", async () => {
  const reports = [tencentReport("SUCCESS"), tencentReport("FAIL")];
  const { reply, events } = await post(`/tencent/${secret}`, JSON.stringify(reports));
  expect(reply).toMatchObject({ status: 200, route: "/tencent/{secret}" });
  expect(JSON.parse(reply.body)).toEqual({ result: 0, errmsg: "OK" });
  expect(events).toEqual([
    { type: "sms.reported", carrier: "tencent", outcome: "delivered" },
    { type: "sms.reported", carrier: "tencent", outcome: "undelivered" },
  ]);
});

describe("twilio", () => {
  const form = (MessageStatus: string) =>
    new URLSearchParams({ MessageSid: "SM1", MessageStatus, To: "+8613811110000", AccountSid: "AC1" });
  const signed = (body: URLSearchParams) => ({
    "x-twilio-signature": getExpectedTwilioSignature(twilio.authToken, twilio.url, Object.fromEntries(body)),
  });

  it("counts the last status once, in whatever order the callbacks arrive", async () => {
    const { events, post } = openSurface();
    for (const status of ["undelivered", "sent", "queued", "undelivered", "delivered", "read"])
      expect(await post("/twilio", form(status).toString(), signed(form(status)))).toMatchObject({
        status: 200,
      });
    expect(events).toEqual([{ type: "sms.reported", carrier: "twilio", outcome: "undelivered" }]);
  });

  it("counts both messages if two have the same status", async () => {
    const { events, post } = openSurface();
    for (const MessageSid of ["SM1", "SM2"]) {
      const body = form("delivered");
      body.set("MessageSid", MessageSid);
      await post("/twilio", body.toString(), signed(body));
    }
    expect(events).toHaveLength(2);
  });

  it("refuses a signature of another body, of another URL, and of another token", async () => {
    const parameters = Object.fromEntries(form("failed"));
    const forged = [
      getExpectedTwilioSignature(twilio.authToken, twilio.url, { ...parameters, MessageStatus: "sent" }),
      getExpectedTwilioSignature(twilio.authToken, `${twilio.url}/`, parameters),
      getExpectedTwilioSignature(twilio.authToken, twilio.url.replace("pay.", "evil."), parameters),
      getExpectedTwilioSignature(twilio.authToken, twilio.url.replace("https", "http"), parameters),
      getExpectedTwilioSignature("", twilio.url, parameters),
    ];
    for (const signature of forged) {
      const headers = { "x-twilio-signature": signature };
      const { reply, events } = await post("/twilio", form("failed").toString(), headers);
      expect([reply.status, events]).toEqual([403, []]);
    }
  });

  it.each([
    ["authToken", { ...twilio, authToken: "" }],
    ["URL", { ...twilio, url: "/twilio" }],
  ])("refuses to start without a usable %s", (name, options) => {
    const observer = { onEvent: () => undefined };
    expect(() => receiptsSurface({ observer, twilio: options })).toThrow(name);
  });

  it.each([
    ["delivered", "delivered"],
    ["undelivered", "undelivered"],
    ["failed", "undelivered"],
    ["sent", undefined],
  ] as const)("reads the status %s", async (status, outcome) => {
    const body = form(status);
    const { reply, events } = await post("/twilio", body.toString(), signed(body));
    expect(reply).toMatchObject({ status: 200, body: "", route: "/twilio" });
    const event = { type: "sms.reported", carrier: "twilio", outcome };
    expect(events).toEqual(outcome === undefined ? [] : [event]);
  });

  it("computes the signature of the example in Twilio's documentation", () => {
    const parameters = new URLSearchParams({
      CallSid: "CA1234567890ABCDE",
      Caller: "+14158675309",
      Digits: "1234",
      From: "+14158675309",
      To: "+18005551212",
    });
    const signature = twilioSignature("12345", "https://mycompany.com/myapp.php?foo=1&bar=2", parameters);
    expect(signature).toBe("RSOYDt4T1cUTdK1PDd93/VVr8B8=");
  });

  it.each([{}, { "x-twilio-signature": "" }, { "x-twilio-signature": "AAAAAAAAAAAAAAAAAAAAAAAAAAA=" }])(
    "answers 403 to the signature %j",
    async (headers) => {
      const { reply, events } = await post("/twilio", form("failed").toString(), headers);
      expect([reply.status, events]).toEqual([403, []]);
    },
  );
});

it("the surface owns only the endpoints of its carriers", () => {
  const surface = receiptsSurface({ observer: { onEvent: () => undefined }, tencent: { secret } });
  const owned = (method: string, path: string) => surface.owns(method, path);
  expect(owned("POST", `/tencent/${secret}`)).toBe(true);
  expect(owned("GET", `/tencent/${secret}`)).toBe(false);
  expect(owned("POST", "/tencent")).toBe(false);
  expect(owned("POST", `/aliyun/${secret}`)).toBe(false);
  expect(owned("POST", "/twilio")).toBe(false);
});

it("the surface answers although the observer throws", async () => {
  const observer = {
    onEvent: () => {
      throw new Error("broken");
    },
  };
  const surface = receiptsSurface({ observer, tencent: { secret } });
  const body = new TextEncoder().encode(JSON.stringify([tencentReport("FAIL")]));
  const request = { method: "POST", path: `/tencent/${secret}`, query: "", headers: headersIn({}), body };
  expect(await surface.handle(request)).toMatchObject({ status: 200 });
});

/** What a report, a path or a header contains and no event or reply may repeat. */
const MARKS = /MARK|3811110000|0123456789abcdef/;
const MARKED = { phone_number: "13811110000", mobile: "13811110000", To: "+8613811110000" };
const TEXTS = { err_code: "MARK", err_msg: "MARK", errmsg: "MARK", description: "MARK", out_id: "MARK" };
const RESULTS = [
  ...[true, false, "MARK"].map((success) => ({ success })),
  ...["SUCCESS", "FAIL", "MARK 13811110000"].map((report_status) => ({ report_status })),
  ...["1", "2", "MARK"].map((Status) => ({ Status })),
  {},
];

it.each(["aliyun", "tencent"])("the surface repeats nothing of a report: %s", async (carrier) => {
  const reports = RESULTS.map((result) =>
    JSON.stringify([{ ...MARKED, ...TEXTS, ...result, biz_id: "MARK", sid: "MARK", MessageId: "MARK" }]),
  );
  const statuses = new Set<number>();
  for (const path of [secret, "MARK", `${secret}MARK`, `${secret.slice(0, -1)}x`])
    for (const body of [...reports, "MARK", "{MARK", '["MARK 13811110000"]', '{"MARK":"13811110000"}']) {
      const { reply, events } = await post(`/${carrier}/${path}`, body, { "user-agent": "MARK" });
      expect(JSON.stringify([reply, events])).not.toMatch(MARKS);
      statuses.add(reply.status);
    }
  expect([...statuses].toSorted()).toEqual([200, 400, 403]);
});

it("the surface repeats nothing of a callback: twilio", async () => {
  const statuses = new Set<number>();
  for (const MessageStatus of ["delivered", "failed", "MARK"]) {
    const texts = { MessageStatus, MessageSid: "MARK", To: "+8613811110000", ErrorCode: "MARK" };
    const body = new URLSearchParams({ ...texts, Body: "MARK 048271", AccountSid: "MARK" });
    const right = twilioSignature(twilio.authToken, twilio.url, body);
    for (const signature of [right, "MARK", `${right.slice(0, -5)}MARK=`, ""]) {
      const headers = { "x-twilio-signature": signature };
      const { reply, events } = await post("/twilio", body.toString(), headers);
      expect(JSON.stringify([reply, events])).not.toMatch(MARKS);
      statuses.add(reply.status);
    }
  }
  expect([...statuses].toSorted()).toEqual([200, 403]);
});

it("the surface shows no secret if it is inspected", () => {
  const { surface } = openSurface();
  const shown = inspect(surface, { depth: 20, showHidden: true });
  for (const hidden of [secret, twilio.authToken]) expect(shown).not.toContain(hidden);
});
